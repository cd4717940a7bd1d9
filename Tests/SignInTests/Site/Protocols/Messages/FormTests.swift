import HTTPExchange
import IdentityProviderTesting
import SignIn
import Testing

@Suite("Forms and addresses as a browser brings them")
struct FormTests {
  @Test(
    "What campaigns add is passed over where that is asked for, and nothing else",
    arguments: [
      ("a=b&utm[source]=x&%5B%5D=", nil), ("a=b&=x", TokenError.Code.clientMalformedForm),
      ("a=b&utm[x]=;", .clientMalformedForm), ("a=b&utm[x]=\u{e9}", .clientMalformedForm),
      ("a=b&utm[x]=a b", .clientMalformedForm), ("a=b&a[]=c", .clientDuplicateParameter),
      ("a=b&A=c", .clientDuplicateParameter), ("a=b&c", .clientMalformedForm),
    ] as [(String, TokenError.Code?)])
  func foreignNames(text: String, expected: TokenError.Code?) throws {
    #expect(refusalCode { _ = try FormReader(text.utf8, passingOver: .foreignNames) } == expected)
    #expect(try FormReader("a=b".utf8, passingOver: .foreignNames)["a"] == "b")
  }

  @Test("A form has a bounded number of parameters")
  func count() throws {
    func form(_ count: Int) -> String {
      (0..<count).map { "n\($0)=" }.joined(separator: "&")
    }
    #expect(refusalCode { _ = try FormReader(form(101).utf8) } == .clientMalformedForm)
    let large = [UInt8](repeating: UInt8(ascii: "a"), count: FormReader.limit + 1)
    #expect(refusalCode { _ = try FormReader(large) } == .inputTooLarge)
    #expect(try FormReader(form(100).utf8)["n99"] == "")
  }

  @Test("WSF-11: A sign-out by another site is asked for by GET, alone")
  func cleanup() throws {
    let type = FormReader.mediaType
    func isCleanup(_ method: String, _ text: String) throws -> Bool {
      try PassiveForm(
        method == "GET"
          ? WebRequest(method: method, query: text)
          : WebRequest(method: method, path: "/", contentType: type, body: Array(text.utf8))
      ).isSignOutCleanup
    }
    #expect(try isCleanup("GET", "wa=wsignoutcleanup1.0"))
    #expect(try !isCleanup("POST", "wa=wsignoutcleanup1.0"))
    #expect(try !isCleanup("GET", "wa=wsignin1.0"))
    #expect(try !isCleanup("GET", "wa=wsignoutcleanup1.0&wresult=x"))
  }

  @Test("WSF-9: A token is posted as the answer to a sign-in, in the form itself")
  func results() throws {
    let type = FormReader.mediaType
    func result(_ method: String, _ text: String) throws -> [UInt8] {
      try PassiveForm(
        method == "GET"
          ? WebRequest(method: method, query: text)
          : WebRequest(method: method, path: "/", contentType: type, body: Array(text.utf8))
      ).signInResult()
    }
    let token = "wresult=%3Ca%2F%3E"
    for (method, text) in [
      ("GET", "wa=wsignin1.0&" + token), ("POST", "wa=wsignout1.0&" + token), ("POST", token),
      ("POST", "wa=wsignin1.0&wresult=PGEvPg"),
      ("POST", "wa=wsignin1.0&wresultptr=https%3A%2F%2Fevil.example&" + token),
    ] {
      #expect(refusalCode { _ = try result(method, text) } == .clientParameter, "\(method) \(text)")
    }
    #expect(try result("POST", "wa=wsignin1.0&" + token) == Array("<a/>".utf8))
  }

  @Test("No segment of a path climbs")
  func segments() throws {
    let base = try HTTPURL("https://app.example/a/")
    for segment in ["", ".", ".."] {
      #expect(refusalCode { _ = try base.appending(["b", segment]) } == .transportMalformedAddress)
    }
    #expect(try base.appending(["b", "../c"]).text == "https://app.example/a/b/..%2Fc")
  }
}
