import AccessControl
import HTTPExchange
import TestSupport
import Testing

@Suite("Secrets of the local Access Control Service that are kept as digests")
struct HashedSecretTests {
  @Test(
    "A client with a digest in the file is known by the secret, each time, and by no other text")
  func clients() async throws {
    let text = try #require(HashedSecret.text(of: "secret of chat"))
    #expect(text.hasPrefix("scrypt:16384:") && HashedSecret.isReadable(text))
    let fixture = try OAuthFixture { $0[0].clientSecret = Secret(text) }
    for _ in 0..<2 {
      let good = try await fixture.post("/v2/openid/introspect", [("token", "x")], as: "chat")
      #expect(good.status == 200, "\(good.response.text)")
    }
    for wrong in [text, "secret of chat ", ""] {
      let refused = try await fixture.post(
        "/v2/openid/introspect",
        [("token", "x"), ("client_id", "chat"), ("client_secret", wrong)], as: nil)
      #expect(refused.status == 401, "\(wrong)")
    }
  }

  @Test("Two digests of a secret differ, and each is one of it")
  func salted() throws {
    let first = try #require(HashedSecret.text(of: "s"))
    #expect(HashedSecret.text(of: "s") != first)
  }

  @Test(
    "A text that begins like a digest and is none is refused in a file",
    arguments: [
      "scrypt:", "scrypt:16384:AAAA:AAAA", "scrypt:16383:AAAAAAAAAAAAAAAAAAAAAA:\(key)",
      "scrypt:262144:AAAAAAAAAAAAAAAAAAAAAA:\(key)", "scrypt:016384:AAAAAAAAAAAAAAAAAAAAAA:\(key)",
      "scrypt:16384:AAAAAAAAAAAAAAAAAAAAAA:\(key):", "scrypt:512:AAAAAAAAAAAAAAAAAAAAAA:\(key)",
      "scrypt:16384:AAAAAAAAAAAAAAAAAAAAAA:AAAAAAAAAAAAAAAAAAAAAA",
    ])
  func malformed(text: String) throws {
    #expect(!HashedSecret.isReadable(text))
    let file =
      "{\"issuer\": \"https://acs.example/\", \"listen\": \"127.0.0.1:8090\", \"testPeople\": \"public\", "
      + "\"providers\": [{\"kind\": \"google\"}], \"ruleGroups\": [{\"name\": \"d\", \"generate\": [\"Google\"]}], "
      + "\"relyingParties\": [{\"realm\": \"a\", \"format\": \"JWT\", \"rules\": [\"d\"], \"clientSecret\": \"SECRET\"}]}"
    let whole = try #require(HashedSecret.text(of: "s"))
    #expect(ServiceFile.read(Array(file.replacing("SECRET", with: whole).utf8)).errors == [])
    let errors = ServiceFile.read(Array(file.replacing("SECRET", with: text).utf8)).errors
    #expect(errors.map(\.code) == [.issuingFileValue], "\(errors)")
    #expect(text == "scrypt:" || !"\(errors)".contains(text))
  }

  private static let key = String(repeating: "A", count: 43)

  @Test(
    "A secret of up to 1,024 octets has a digest, and a longer one none that it could be known by")
  func long() async throws {
    let longest = String(repeating: "s", count: 1_024)
    #expect(HashedSecret.text(of: longest + "s") == nil)
    let text = try #require(HashedSecret.text(of: longest))
    let fixture = try OAuthFixture { $0[0].clientSecret = Secret(text) }
    for (secret, status) in [(longest + "s", 401), (longest, 200)] {
      let asked = try await fixture.post(
        "/v2/openid/introspect",
        [("token", "x"), ("client_id", "chat"), ("client_secret", secret)], as: nil)
      #expect(asked.status == status)
    }
  }
}
