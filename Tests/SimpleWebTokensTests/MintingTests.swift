import Claims
import SecurityKeys
import SimpleWebTokens
import TestSupport
import Testing
import TokenBasics

@Suite("Issuing Simple Web Tokens")
struct SimpleWebTokenMintingTests {
  let issuer = "https://talksns.accesscontrol.windows.net/"
  let audience = "uri:talks.example.org"
  /// Ten minutes before the vectors expire.
  let issuedAt = Instant(secondsSinceEpoch: 1_893_455_400)

  func key() throws -> SymmetricKey { try SymmetricKey(bytes: SimpleWebTokenTests.key) }

  func draft(_ claims: [(String, String)], subject: String? = nil) -> TokenDraft {
    TokenDraft(
      issuer: issuer, audiences: [audience], subject: subject,
      claims: ClaimSet(claims.map { Claim(ClaimType($0.0), $0.1) }), issuedAt: issuedAt)
  }

  func verified(_ octets: [UInt8]) throws -> Verified<SimpleWebToken> {
    try SimpleWebTokenTests().validator().validate(
      SimpleWebToken(parsing: octets), at: SimpleWebTokenTests.now)
  }

  @Test("The inputs of TV-2 give the bytes of TV-2")
  func short() throws {
    let octets = try SimpleWebToken.mint(draft([("role", "editor")]), key: key())
    #expect(octets == TestVector.bytes("swt/tv-2.txt").trimmed)
  }

  @Test("The inputs of TV-1 give the bytes of TV-1: subject first, roles joined")
  func long() throws {
    let identity = ClaimType.identityPrefix
    let octets = try SimpleWebToken.mint(
      draft(
        [
          (identity + "name", "Mia Müller"), (identity + "emailaddress", "mia+news@example.org"),
          (ClaimType.role.name, "editor"), (ClaimType.role.name, "speaker"),
          (ClaimType.facebookAccessToken.name, "AAAB1+x/y="),
          (ClaimType.identityProvider.name, "Facebook-1234567890"),
        ], subject: "100004711"), key: key())
    #expect(octets == TestVector.bytes("swt/tv-1.txt").trimmed)
  }

  @Test("Several values of a type are joined in the place of the first")
  func join() throws {
    let octets = try SimpleWebToken.mint(
      draft([("a", "1"), ("b", "x"), ("a", "2,3")]), key: key())
    let claims = try verified(octets).claims
    #expect(claims.map(\.type.name) == ["a", "b"])
    #expect(claims["a"] == ["1,2,3"])
  }

  @Test(
    "ISS-2: delimiters of the format in a value are preserved",
    arguments: [
      "&", "=", "%", "+", " ", "%2b", "&role=admin", "x&HMACSHA256=AAAA", "é", "𝄞", "\"",
      "K\u{212A}", "",
    ])
  func injection(text: String) throws {
    let octets = try SimpleWebToken.mint(
      draft([("value", text), ("name" + text + ".", "x")]), key: key())
    let claims = try verified(octets).claims
    #expect(claims.count == 2)
    #expect(claims[0].value.hasSameBytes(text))
    #expect(claims[1].type == ClaimType("name" + text + "."))
  }

  @Test(
    "ISS-2: a claim with a reserved name is an error, in any case",
    arguments: ["Issuer", "Audience", "ExpiresOn", "HMACSHA256", "issuer", "Hmacsha256"])
  func reserved(name: String) throws {
    #expect(throws: TokenError(.mintReservedName)) {
      try SimpleWebToken.mint(draft([(name, "x")]), key: key())
    }
    #expect(throws: Never.self) {
      try SimpleWebToken.mint(draft([(name + "1", "x")]), key: key())
    }
  }

  @Test(
    "A control character is an error in any place", arguments: ["\0", "\n", "\r", "\u{7F}"])
  func control(text: String) throws {
    let bad = [draft([("a", "x" + text)]), draft([("a" + text, "x")]), draft([], subject: text)]
    for draft in bad {
      #expect(throws: TokenError(.mintCharacter)) { try SimpleWebToken.mint(draft, key: key()) }
    }
  }

  @Test("A token names one audience")
  func audiences() throws {
    var draft = draft([])
    draft.audiences = ["a", "b"]
    #expect(throws: TokenError(.mintAudiences)) { try SimpleWebToken.mint(draft, key: key()) }
    draft.audiences = []
    #expect(throws: TokenError(.mintEmpty)) { try SimpleWebToken.mint(draft, key: key()) }
  }

  @Test("A lifetime is one second to ten years, and ends after 1970")
  func lifetime() throws {
    for seconds in [0, -1, 315_360_001] {
      var draft = draft([])
      draft.lifetime = seconds
      #expect(throws: TokenError(.mintLifetime)) { try SimpleWebToken.mint(draft, key: key()) }
    }
    for seconds in [1, 315_360_000] {
      var draft = draft([])
      draft.lifetime = seconds
      #expect(throws: Never.self) { try SimpleWebToken.mint(draft, key: key()) }
    }
    var late = draft([])
    late.issuedAt = Instant(secondsSinceEpoch: .max)
    #expect(throws: TokenError(.mintLifetime)) { try SimpleWebToken.mint(late, key: key()) }
    var old = draft([])
    old.issuedAt = Instant(secondsSinceEpoch: -601)
    #expect(throws: TokenError(.mintLifetime)) { try SimpleWebToken.mint(old, key: key()) }
    old.issuedAt = Instant(secondsSinceEpoch: -600)
    #expect(throws: Never.self) { try SimpleWebToken.mint(old, key: key()) }
  }

  @Test("The subject is not given twice")
  func subjectTwice() throws {
    let claim = [(ClaimType.nameIdentifier.name, "mallory")]
    #expect(throws: TokenError(.mintSubjectTwice)) {
      try SimpleWebToken.mint(draft(claim, subject: "mia"), key: key())
    }
    let octets = try SimpleWebToken.mint(draft(claim), key: key())
    #expect(try verified(octets).facts.subject == "mallory")
  }

  @Test("A secret that verifiers reject by default signs nothing")
  func shortKey() throws {
    let short = try SymmetricKey(bytes: [UInt8](repeating: 1, count: 31))
    #expect(throws: TokenError(.hmacKeyLength)) { try SimpleWebToken.mint(draft([]), key: short) }
  }
}

extension String {
  fileprivate func hasSameBytes(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
