import Octets
import Testing

@testable import AccessControl

@Suite("Names and passwords in the Authorization header")
struct BasicCredentialsTests {
  private func credentials(_ pair: String) -> BasicCredentials? {
    BasicCredentials("Basic " + Base64.encode(Array(pair.utf8)))
  }

  @Test(
    "Both forms are read: form-encoded, and as curl sends them",
    arguments: [
      ("plain:q1w2", "plain", ["q1w2"]), ("plus:ab+cd==", "plus", ["ab cd==", "ab+cd=="]),
      ("plus:ab%2Bcd", "plus", ["ab+cd", "ab%2Bcd"]), ("percent:100%", "percent", ["100%"]),
      ("https://api.example/:q1", "https://api.example/", ["q1"]),
      ("https%3A%2F%2Fapi.example%2F:q%3A1", "https://api.example/", ["q:1"]),
      ("plain:a:b", "plain", ["a:b"]),
    ])
  func forms(pair: String, name: String, passwords: [String]) throws {
    let known = ["plain", "plus", "percent", "https://api.example/"]
    let read = try #require(credentials(pair))
    let found = try #require(read.name(asked: nil) { known.contains($0) })
    #expect(found == name && read.passwords(of: found) == passwords)
    #expect(read.name(asked: name) { _ in false } == name)
    #expect(read.name(asked: "another") { _ in true } == nil)
  }

  @Test("A header of another scheme, or without a colon, has none")
  func refused() {
    #expect(credentials("plain") == nil)
    #expect(BasicCredentials("Bearer abc") == nil)
    #expect(BasicCredentials("Basic !!") == nil)
    #expect(BasicCredentials("BASIC  " + Base64.encode(Array("a:b".utf8))) != nil)
  }
}
