import Federation
import SecurityKeys
import Testing
import TokenBasics

/// An SD-JWT that a test issues and presents: claims of the issuer, and disclosures of which the holder shows some.
struct Credential {
  static let issuer = "https://issuer.example"
  static let now = Instant(secondsSinceEpoch: 1_893_499_200)
  /// Who issued it and until when it is valid, as members of JSON.
  static let claims = #""iss":"https://issuer.example","exp":1893499500"#

  private let issuerKey: PrivateKey
  private let holderKey: PrivateKey
  private let token: String

  /// - Parameters:
  ///   - claims: Members of the payload.
  ///   - disclosures: What can be disclosed, each as ``disclosure(_:_:)`` makes it.
  ///   - holder: The kind of the key to which it is bound.
  init(
    _ claims: String = Self.claims, disclosures: [String] = [], holder: PrivateKey.NewKind = .ec256
  ) throws {
    issuerKey = try PrivateKey(generating: .ec256)
    holderKey = try PrivateKey(generating: holder)
    let digests = try disclosures.map { #""\#(try Self.digest($0))""# }.joined(separator: ",")
    let own = holderKey.publicKey.jsonWebKeyMembers.map { #""\#($0)":"\#($1)""# }
      .joined(separator: ",")
    let payload = #"{\#(claims),"_sd":[\#(digests)],"cnf":{"jwk":{\#(own)}}}"#
    token = try Self.signed(#"{"alg":"ES256","typ":"dc+sd-jwt"}"#, payload, issuerKey)
  }

  /// The disclosure of a member, whose value is JSON.
  static func disclosure(_ name: String, _ value: String) -> String {
    encoded(#"["salt","\#(name)",\#(value)]"#)
  }

  /// The token with some of its disclosures, up to the last `~`.
  func presented(_ disclosures: [String] = []) -> String {
    ([token] + disclosures).joined(separator: "~") + "~"
  }

  /// The presentation with a key-binding JWT for an audience.
  func bound(to audience: String, algorithm: String = "ES256") throws -> String {
    let presented = presented()
    let payload =
      #"{"iat":1893499200,"aud":"\#(audience)","nonce":"n","sd_hash":"\#(try Self.digest(presented))"}"#
    let header = #"{"alg":"\#(algorithm)","typ":"kb+jwt"}"#
    return presented + (try Self.signed(header, payload, holderKey))
  }

  /// The verdict on a presentation.
  func verified(
    _ text: String, audiences: Trust.Audiences = .any, demand: KeyBindingDemand? = nil
  ) throws -> Verified<AnyToken> {
    try verified(text, audiences: audiences, demand: demand, by: [entry()])
  }

  /// The entry of a trust that pins the issuer's key to a name.
  func entry(_ name: String = Self.issuer) -> TrustedIssuer {
    TrustedIssuer(name, keys: [.publicKey(issuerKey.publicKey)], formats: [.sdjwt])
  }

  /// The verdict on a presentation by other entries of a trust.
  func verified(
    _ text: String, audiences: Trust.Audiences = .any, demand: KeyBindingDemand? = nil,
    by entries: [TrustedIssuer]
  ) throws -> Verified<AnyToken> {
    try TokenValidator(Trust(issuers: entries, audiences: audiences)).validate(
      AnyToken(reading: Array(text.utf8)), at: Self.now,
      expecting: Expectations(keyBinding: demand))
  }

  private static func encoded(_ text: String) -> String { Base64.encode(Array(text.utf8), .url) }

  private static func digest(_ text: String) throws -> String {
    Base64.encode(try #require(DigestAlgorithm.sha256.digest(of: Array(text.utf8))), .url)
  }

  private static func signed(
    _ header: String, _ payload: String, _ key: PrivateKey
  ) throws -> String {
    let input = encoded(header) + "." + encoded(payload)
    return input + "." + Base64.encode(try SigningKey(key).sign(Array(input.utf8)), .url)
  }
}
