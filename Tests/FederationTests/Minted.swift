import Federation
import TestSupport

/// One kind of token that this package issues, and how a relying party verifies it.
struct Minted: Sendable, CustomStringConvertible {
  enum Form: Hashable, Sendable {
    case assertion
    case tokenResponse
    case response(SAMLIssuer.SignedParts)
  }

  let version: SAMLToken.Version
  let form: Form
  let keyName: String
  let algorithm: SignatureAlgorithm

  init(
    _ version: SAMLToken.Version, _ form: Form, _ keyName: String = "idp-rsa",
    _ algorithm: SignatureAlgorithm = .rsaSHA256
  ) {
    self.version = version
    self.form = form
    self.keyName = keyName
    self.algorithm = algorithm
  }

  var description: String { "\(version) \(form) \(algorithm)" }

  /// Every form of both versions.
  static let forms: [Minted] = [SAMLToken.Version.v1, .v2].flatMap { version in
    [Form.assertion, .tokenResponse, .response(.assertion), .response(.response), .response(.both)]
      .map { Minted(version, $0) }
  }

  /// Every form, and every algorithm.
  static let all: [Minted] =
    forms
    + [
      ("idp-rsa", .rsaSHA384), ("idp-rsa", .rsaSHA512), ("idp-rsa", .rsaPSSSHA256),
      ("idp-rsa", .rsaPSSSHA384), ("idp-rsa", .rsaPSSSHA512), ("idp-ec256", .ecdsaSHA256),
      ("idp-ec384", .ecdsaSHA384), ("idp-ec521", .ecdsaSHA512), ("idp-ec256", .ecdsaSHA512),
    ].flatMap { (key: String, algorithm: SignatureAlgorithm) in
      [Minted(.v1, .assertion, key, algorithm), Minted(.v2, .response(.both), key, algorithm)]
    }

  static let draft = TokenDraft(
    issuer: "https://idp.example/idp", audiences: ["https://rp.example/saml"],
    subject: "alice@idp.example",
    claims: ClaimSet([
      Claim(.role, "editor"), Claim(.givenName, "Zoë 𝄞"), Claim(.role, " speaker\t"),
    ]), issuedAt: Instant(secondsSinceEpoch: 1_893_499_200), lifetime: 300, id: "_a1")

  static let browser = SAMLDelivery(recipient: "https://rp.example/acs", inResponseTo: "_q1")

  /// SAML 1.1 names a recipient in a response only.
  var delivery: SAMLDelivery {
    if case .response = form { return Self.browser }
    return version == .v2 ? Self.browser : SAMLDelivery()
  }

  static func key(_ name: String, _ algorithm: SignatureAlgorithm) throws -> SigningKey {
    let material = try VerificationKey(pemOrDER: TestVector.bytes("keys/\(name).crt")).material
    guard case .certificate(let certificate) = material else { throw TokenError(.unreadableKey) }
    return try SigningKey(
      PrivateKey(pemOrDER: TestVector.bytes("keys/\(name).key")), certificate: certificate,
      algorithm: algorithm)
  }

  func octets(
    _ draft: TokenDraft, _ other: SAMLDelivery? = nil,
    encryptingTo recipient: EncryptionRecipient? = nil
  ) throws -> [UInt8] {
    let delivery = other ?? delivery
    let issuer = SAMLIssuer(
      version, key: try Self.key(keyName, algorithm), encryptingTo: recipient)
    switch form {
    case .assertion: return try issuer.assertion(draft, delivery: delivery)
    case .tokenResponse: return try issuer.tokenResponse(draft, delivery: delivery)
    case .response(let parts):
      return try issuer.response(draft, delivery: delivery, signing: parts)
    }
  }

  /// The trust of a relying party of these tokens.
  func trust(
    issuer: String = Self.draft.issuer, audience: String = Self.draft.audiences[0]
  ) throws -> Trust {
    let key = try VerificationKey(pemOrDER: TestVector.bytes("keys/\(keyName).crt"))
    return Trust(
      issuers: [TrustedIssuer(issuer, keys: [key], formats: [.saml11, .saml20])],
      audiences: .oneOf([audience]))
  }

  /// Whether a signature covers the recipient and the request.
  private var isDeliverySigned: Bool { version == .v2 || form != .response(.assertion) }

  /// The draft with that identifier, issued and verified.
  func verified(id: String? = nil) throws -> Verified<AnyToken> {
    var draft = Self.draft
    if let id { draft.id = id }
    return try verify(octets(draft))
  }

  func verify(
    _ octets: [UInt8], issuer: String = Minted.draft.issuer,
    audience: String = Minted.draft.audiences[0], _ other: SAMLDelivery? = nil,
    decryptingWith names: [String] = []
  ) throws -> Verified<AnyToken> {
    let delivery = other ?? delivery
    var trust = try trust(issuer: issuer, audience: audience)
    trust.decryptionKeys = try names.map {
      DecryptionKey(try PrivateKey(pemOrDER: TestVector.bytes("keys/\($0).key")))
    }
    return try TokenValidator(trust).validate(
      AnyToken(reading: octets), at: Self.draft.issuedAt,
      expecting: isDeliverySigned
        ? Expectations(recipient: delivery.recipient, inResponseTo: delivery.inResponseTo)
        : Expectations())
  }
}
