import Claims
import Foundation
import SecurityKeys
import SimpleWebTokens
import TestSupport
import Testing
import TokenBasics

@Suite("Simple Web Tokens")
struct SimpleWebTokenTests {
  static let key = (0..<32).map { UInt8($0) }
  static let now = Instant(secondsSinceEpoch: 1_893_455_700)

  func validator(audience: String = "uri:talks.example.org") throws -> TokenValidator<
    SimpleWebToken
  > {
    TokenValidator(
      Trust(
        issuers: [
          TrustedIssuer(
            "https://talksns.accesscontrol.windows.net/",
            keys: [.secret(try SymmetricKey(bytes: Self.key))], formats: [.swt])
        ], audiences: .oneOf([audience])))
  }

  @Test("A plus sign in an e-mail address and in a provider token stays one")
  func plus() throws {
    let token = try SimpleWebToken(parsing: TestVector.bytes("swt/tv-1.txt").trimmed)
    let verified = try validator().validate(token, at: Self.now)
    #expect(verified.claims[.emailAddress] == ["mia+news@example.org"])
    #expect(verified.claims[.facebookAccessToken] == ["AAAB1+x/y="])
    #expect(verified.claims[.name] == ["Mia Müller"])
    #expect(verified.claims[.role] == ["editor,speaker"])
  }

  @Test("Expecting a recipient or a request rejects the token, which can name neither")
  func expectations() throws {
    let token = try SimpleWebToken(parsing: TestVector.bytes("swt/tv-1.txt").trimmed)
    _ = try validator().validate(token, at: Self.now, expecting: Expectations())
    #expect(throws: TokenError(.recipientUnprovable)) {
      try validator().validate(
        token, at: Self.now, expecting: Expectations(recipient: "https://talks.example.org/"))
    }
    #expect(throws: TokenError(.requestUnprovable)) {
      try validator().validate(token, at: Self.now, expecting: Expectations(inResponseTo: "_q1"))
    }
  }

  @Test("Reserved names are never claims")
  func reserved() throws {
    let token = try SimpleWebToken(parsing: TestVector.bytes("swt/tv-1.txt").trimmed)
    let names = token.unverifiedClaims.map(\.type.name)
    for name in ["Issuer", "Audience", "ExpiresOn", "HMACSHA256"] {
      #expect(!names.contains(name))
    }
    #expect(names.count == 6)
  }

  @Test(
    "A pair without a name or `=` is no pair, whatever its other errors",
    arguments: [
      ("abc", TokenError.Code.malformedPair, "byte 4"), ("%zz", .malformedPair, "byte 4"),
      ("a%3Db", .malformedPair, "byte 4"), ("=%zz", .malformedPair, "byte 4"),
      ("=", .malformedPair, "byte 4"), ("", .malformedPair, "byte 4"),
      ("%zz=b", .malformedPercentEscape, "byte 4"), ("a%=b", .malformedPercentEscape, "byte 5"),
      ("ab=%1", .malformedPercentEscape, "byte 7"), ("%ff=b", .notUTF8, "byte 4"),
      ("ab=%ff", .notUTF8, "byte 7"), ("a%00=b", .swtCharacter, "byte 4"),
      ("ab=%7f", .swtCharacter, "byte 7"),
    ])
  func malformed(pair: String, code: TokenError.Code, node: String) {
    let mac = String(repeating: "A", count: 43) + "%3d"
    let error = #expect(throws: TokenError.self) {
      try SimpleWebToken(parsing: Array("a=b&\(pair)&HMACSHA256=\(mac)".utf8))
    }
    #expect(error?.code == code)
    #expect(error?.node == node)
  }

  @Test("Names of one length and one ending are different")
  func similarNames() throws {
    let pairs = (10..<40).map { "http://example.test/\($0)/the-same-ending=\($0)" }
    let token = try SimpleWebToken(parsing: minted(pairs))
    #expect(token.unverifiedClaims.count == 30)
    for count in [3, 30] {
      let twice = minted(pairs.prefix(count) + [pairs[1]])
      #expect(throws: TokenError(.duplicatePairName)) { try SimpleWebToken(parsing: twice) }
    }
  }

  @Test("The meaning of a pair does not depend on its position", arguments: 0...80)
  func places(count: Int) throws {
    let padding = String(repeating: "x", count: count)
    let token = try SimpleWebToken(
      parsing: minted([
        "a\(padding)=1", "%c3%A9+\(padding)%3d=2", "b==%26\(padding)+=%2B%25%20", "c=\(padding)",
      ]))
    #expect(
      token.unverifiedClaims.map { "\($0.type.name): \($0.value)" } == [
        "a\(padding): 1", "é \(padding)=: 2", "b: =&\(padding) =+% ", "c: \(padding)",
      ])
  }

  @Test("A token without escapes is read to its last octet", arguments: 0...40)
  func plain(count: Int) throws {
    let padding = String(repeating: "x", count: count)
    let mac = String(repeating: "A+/", count: 14) + "A="
    let token = try SimpleWebToken(parsing: Array("a=\(padding)&HMACSHA256=\(mac)".utf8))
    #expect(token.unverifiedClaims[ClaimType("a")] == [padding])
    #expect(throws: TokenError(.malformedMAC)) {
      try SimpleWebToken(parsing: Array("a=\(padding)&HMACSHA256=\(mac)=".utf8))
    }
  }

  @Test("A single escape is accepted for printable ASCII and no other octet")
  func octets() throws {
    for octet in UInt8.min...UInt8.max {
      let escape = "%" + (octet < 16 ? "0" : "") + String(octet, radix: 16)
      for pair in ["x\(escape)=y", "x=y\(escape)"] {
        let isPrintable = (0x20..<0x7F).contains(octet)
        let token = try? SimpleWebToken(parsing: minted([pair]))
        #expect((token != nil) == isPrintable)
      }
    }
  }

  private func minted(_ pairs: some Sequence<String>) -> [UInt8] {
    Array(
      (pairs.joined(separator: "&") + "&HMACSHA256=" + String(repeating: "A", count: 43) + "%3d")
        .utf8)
  }

  @Test("An expiry after year 9999 is refused, not shown as an earlier one")
  func lastYear() throws {
    let validator = try validator()
    let last = try SimpleWebToken(parsing: signed(expiresOn: "253402300799"))
    #expect(
      try validator.validate(last, at: Self.now).facts.expires
        == Instant(secondsSinceEpoch: 253_402_300_799))
    let later = try SimpleWebToken(parsing: signed(expiresOn: "253402300800"))
    #expect(throws: TokenError(.malformedTime)) { try validator.validate(later, at: Self.now) }
  }

  private func signed(expiresOn: String) throws -> [UInt8] {
    let text =
      "Audience=uri%3atalks.example.org&ExpiresOn=\(expiresOn)"
      + "&Issuer=https%3a%2f%2ftalksns.accesscontrol.windows.net%2f"
    let bytes = Array(text.utf8)
    let key = try SymmetricKey(bytes: Self.key)
    let mac = key.authenticate(bytes.span, with: .sha256) ?? []
    let value = Data(mac).base64EncodedString()
      .addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    return Array("\(text)&HMACSHA256=\(value ?? "")".utf8)
  }

  @Test("The boundary of expiry counts the skew and nothing more")
  func boundary() throws {
    let token = try SimpleWebToken(parsing: TestVector.bytes("swt/tv-2.txt").trimmed)
    let validator = try validator()
    let last = Instant(secondsSinceEpoch: 1_893_456_059, nanoseconds: 999_999_999)
    #expect(throws: Never.self) { try validator.validate(token, at: last) }
    #expect(throws: TokenError(.expired)) {
      try validator.validate(token, at: Instant(secondsSinceEpoch: 1_893_456_060))
    }
  }

  @Test("The report lists what was checked, and continues after an independent failure")
  func report() throws {
    let token = try SimpleWebToken(parsing: TestVector.bytes("swt/tv-5.txt").trimmed)
    let report = try validator(audience: "urn:other").report(on: token, at: Self.now)
    let failed = report.checks.filter { $0.outcome == .failed }.map(\.name)
    #expect(failed == [.audience, .time])
    #expect(report.checks.first { $0.name == .signature }?.outcome == .passed)
    #expect(throws: TokenError(.audienceMismatch)) { try report.get() }
  }

  @Test("Without any trusted issuer nothing is accepted")
  func noTrust() throws {
    let token = try SimpleWebToken(parsing: TestVector.bytes("swt/tv-2.txt").trimmed)
    let validator = TokenValidator<SimpleWebToken>(Trust(issuers: [], audiences: .any))
    #expect(throws: TokenError(.noKey)) { try validator.validate(token, at: Self.now) }
  }

  @Test("TIME-12 A skew beyond ten minutes or below zero cannot be set", arguments: [-1, 601])
  func skew(seconds: Int) {
    var trust = Trust(issuers: [], audiences: .any)
    #expect(throws: TokenError(.limitOutOfRange)) { try trust.setSkew(seconds) }
    #expect(throws: Never.self) { try trust.setSkew(600) }
  }

  @Test("An error shows neither the token nor the key")
  func secrets() throws {
    let octets = TestVector.bytes("swt/tv-2.txt").trimmed
    var changed = octets
    changed[5] = UInt8(ascii: "X")
    let report = try validator().report(on: SimpleWebToken(parsing: changed), at: Self.now)
    let text = report.checks.map { "\($0)" }.joined()
    #expect(!text.contains("hw1o9yxe"))
    #expect(!text.contains("AAECAwQF"))
  }
}

extension [UInt8] {
  var trimmed: [UInt8] { last == UInt8(ascii: "\n") ? Array(dropLast()) : self }
}

@Suite("No description shows a credential")
struct RedactionTests {
  @Test("Neither a token, nor a report, nor a claim shows it when it is printed")
  func printing() throws {
    let octets = TestVector.bytes("swt/tv-1.txt").trimmed
    let token = try SimpleWebToken(parsing: octets)
    let report = try SimpleWebTokenTests().validator().report(
      on: token, at: SimpleWebTokenTests.now)
    var dumped = ""
    dump(token, to: &dumped)
    dump(report, to: &dumped)
    let shown = "\(token) \(report) \(try report.get()) \(token.unverifiedClaims) \(dumped)"
    #expect(!shown.contains("AAAB1+x/y="))
    #expect(!shown.contains("V1WXaX"))
    #expect(!shown.contains("116, 97, 108"))
    #expect("\(token)" == "a swt token")
    #expect(token.unverifiedClaims[.facebookAccessToken] == ["AAAB1+x/y="])
  }
}
