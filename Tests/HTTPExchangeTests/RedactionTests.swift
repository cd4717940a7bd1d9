@testable import HTTPExchange
import Testing

@Suite("Secrets in text of a server, and small rules of HTTP")
struct RedactionTests {
  private func masked(_ text: String, _ secrets: String...) -> String {
    Redaction(secrets.map { Secret($0) }).mask(text)
  }

  @Test("A secret is masked in each writing of it; no secret masks nothing")
  func masks() {
    #expect(masked("a secret-7 b", "secret-7") == "a *** b")
    #expect(masked("a secret%2D7 b", "secret-7") == "a *** b")
    #expect(masked("a secret%252D7 b", "secret-7") == "a *** b")
    // One that has an escape in it is masked where somebody decoded it.
    #expect(masked("a pass word b", "pass%20word") == "a *** b")
    #expect(masked("a b", "") == "a b" && masked("a b") == "a b")
  }

  @Test("What a short secret is in base64 occurs in any text")
  func short() {
    #expect(masked("YWJj abc", "abc") == "YWJj ***")
    #expect(masked("YWJjZGVm", "abcdef") == "***")
  }

  @Test("A secret within another one brings nothing of the other one back")
  func nested() {
    #expect(masked("ab%63def-secret.", "abcdef-secret", "b%63d") == "***.")
    #expect(masked("abcdef-secret.", "abcdef-secret", "def-se") == "***.")
  }

  @Test("304 is no redirect")
  func redirects() {
    for (status, isRedirect) in [
      (299, false), (300, true), (303, true), (304, false), (400, false),
    ] {
      #expect(HTTPResponse(status: status).isRedirect == isRedirect, "\(status)")
    }
  }

  @Test("A route that is added first stays, and its methods are told once")
  func routes() {
    var table = RouteTable<Int>()
    table.add(["GET"], "/a", 1)
    table.add(["GET", "POST"], "/a", 2)
    guard case .otherMethod(_, let allowed) = table.match("PUT", "/a") else {
      Issue.record("a method that there is not")
      return
    }
    #expect(allowed == ["GET", "POST"])
    guard case .found(1) = table.match("GET", "/a"), case .found(2) = table.match("POST", "/a")
    else {
      Issue.record("the first one")
      return
    }
  }
}
