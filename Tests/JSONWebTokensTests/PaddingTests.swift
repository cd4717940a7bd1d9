import Claims
import JSONWebTokens
import SecurityKeys
import Testing
import TokenBasics

/// JWS with padding, as AWS's load balancer sends it.
@Suite("Padding of a JWS")
struct PaddingTests {
  private static let secret = [UInt8](repeating: 7, count: 32)
  private let now = Instant(secondsSinceEpoch: 1_893_499_200)

  /// A part with as much padding as its length needs.
  private static func padded(_ text: String) -> String {
    let digits = Base64.encode(Array(text.utf8), .url)
    return digits + String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
  }

  private static func plain(_ text: String) -> String { Base64.encode(Array(text.utf8), .url) }

  /// A token over these two parts as they are.
  private static func signed(
    _ header: String, _ payload: String, isPadded: Bool = true
  ) throws -> String {
    let input = header + "." + payload
    let mac = try #require(
      try SymmetricKey(bytes: secret).authenticate(Array(input.utf8).span, with: .sha256))
    let signature = Base64.encode(mac, .url)
    return input + "." + signature + (isPadded ? "=" : "")
  }

  private static let header = #"{"alg":"HS256","k":"1"}"#
  private static let payload = #"{"iss":"i","aud":"a","exp":1893499500,"x":"yz"}"#

  private func verify(
    _ token: String, _ exceptions: Set<LegacyException>
  ) throws -> Verified<JSONWebToken> {
    let key = TrustedKey(.secret(try SymmetricKey(bytes: Self.secret)), exceptions: exceptions)
    let trust = Trust(
      issuers: [TrustedIssuer("i", keys: [key], formats: [.jwt])], audiences: .oneOf(["a"]))
    return try TokenValidator(trust).validate(
      JSONWebToken(parsing: Array(token.utf8)), at: now)
  }

  @Test("Padding is refused with a code of its own, and accepted by name with a warning")
  func byName() throws {
    let token = try Self.signed(Self.padded(Self.header), Self.padded(Self.payload))
    #expect(token.contains("=."))
    #expect(throws: TokenError(.jwsPadding)) { try verify(token, []) }
    let verified = try verify(token, [.jwsPadding])
    #expect(verified.claims["x"] == ["yz"])
    #expect(verified.warnings == ["legacy: jws-padding was allowed by name"])
    // A token without padding needs no exception, and gets no warning.
    let plain = try Self.signed(Self.plain(Self.header), Self.plain(Self.payload), isPadded: false)
    #expect(try verify(plain, [.jwsPadding]).warnings.isEmpty)
    #expect(try verify(plain, []).warnings.isEmpty)
  }

  @Test("Padding behind one part alone is padding too")
  func onePart() throws {
    let token = try Self.signed(Self.plain(Self.header), Self.plain(Self.payload))
    #expect(throws: TokenError(.jwsPadding)) { try verify(token, []) }
    #expect(try verify(token, [.jwsPadding]).claims["x"] == ["yz"])
  }

  @Test(
    "The signature covers the octets as they came: padding can neither be added nor taken away")
  func signedAsItCame() throws {
    let padded = try Self.signed(Self.padded(Self.header), Self.padded(Self.payload))
    let stripped = padded.filter { $0 != "=" }
    #expect(throws: TokenError(.signatureInvalid)) { try verify(stripped, [.jwsPadding]) }
    let plain = try Self.signed(Self.plain(Self.header), Self.plain(Self.payload), isPadded: false)
    let parts = plain.split(separator: ".").map(String.init)
    let added = [Self.padded(Self.header), Self.padded(Self.payload), parts[2]].joined(
      separator: ".")
    #expect(throws: TokenError(.signatureInvalid)) { try verify(added, [.jwsPadding]) }
  }

  @Test(
    "Any other padding is no base64",
    arguments: ["=", "==", "===", "====", "=\n"])
  func otherPadding(more: String) throws {
    let (header, payload) = (Self.padded(Self.header), Self.padded(Self.payload))
    #expect(throws: TokenError(.malformedBase64)) {
      try verify(Self.signed(header + more, payload), [.jwsPadding])
    }
    #expect(throws: TokenError(.malformedBase64)) {
      try verify(Self.signed("=" + header, payload), [.jwsPadding])
    }
  }

  @Test("Single use goes by what the octets decode to, so that two spellings are one token")
  func singleUse() throws {
    let padded = try verify(
      Self.signed(Self.padded(Self.header), Self.padded(Self.payload)), [.jwsPadding])
    let halfPadded = try verify(
      Self.signed(Self.padded(Self.header), Self.padded(Self.payload), isPadded: false),
      [.jwsPadding])
    let plain = try verify(
      Self.signed(Self.plain(Self.header), Self.plain(Self.payload), isPadded: false), [])
    #expect(TokenIdentity(padded) == TokenIdentity(plain))
    #expect(TokenIdentity(halfPadded) == TokenIdentity(plain))
  }
}
