import Foundation
public import SignIn
import TestSupport

/// An identity provider that answers requests with tokens of its own making.
public struct IdentityProviderSimulator: Sendable {
  public let entityID: String
  public let key: SigningKey
  public let certificate: Certificate
  public let provider: IdentityProvider

  public init(_ entityID: String = "https://idp.example/", key name: String = "idp-rsa") throws {
    func file(_ suffix: String) throws -> [UInt8] {
      try Array(Data(contentsOf: TestVector.folder.appending(path: "keys/\(name).\(suffix)")))
    }
    self.entityID = entityID
    certificate = try Self.certificate(file("crt"))
    key = try SigningKey(PrivateKey(pemOrDER: file("key")), certificate: certificate)
    let base = "https://\(entityID.contains("other") ? "other" : "idp").example"
    provider = IdentityProvider(
      entityID: entityID,
      signOn: [.init(.redirect, try HTTPURL(base + "/sso"))],
      logout: [.init(.redirect, try HTTPURL(base + "/slo"))],
      wantsSignedRequests: true, scopes: ["idp.example"])
  }

  public static func certificate(_ bytes: [UInt8]) throws -> Certificate {
    guard case .certificate(let certificate) = try VerificationKey(pemOrDER: bytes).material else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return certificate
  }

  public var trusted: TrustedIssuer {
    TrustedIssuer(entityID, keys: [.certificate(certificate)], formats: [.saml20])
  }

  /// The same issuer and key for JSON Web Tokens.
  public var trustedJWT: TrustedIssuer {
    TrustedIssuer(entityID, keys: [.certificate(certificate)], formats: [.jwt])
  }

  /// A JSON Web Token of ten minutes.
  public func jwt(audience: String, at now: Instant) throws -> String {
    var draft = TokenDraft(issuer: entityID, audiences: [audience], issuedAt: now)
    draft.subject = "ada"
    return String(decoding: try JSONWebToken.mint(draft, key: key), as: UTF8.self)
  }

  /// The values of a response that a test changes.
  public struct Answer: Sendable {
    public var inResponseTo: String?
    public var recipient: String? = "https://app.example/saml/acs"
    public var audience = "https://app.example/saml"
    public var id = "_a" + UUID().uuidString
    public var subject = "ada"
    public var session = "s1"
    /// When the provider wants the session ended.
    public var sessionEnd: Instant?
    public var nameFormat: String?
    public var claims: [Claim] = []
    public var method: String?
    public var at = Instant(secondsSinceEpoch: 1_893_499_200)
    public var signing = SAMLIssuer.SignedParts.assertion

    public init(
      inResponseTo: String? = nil, recipient: String? = "https://app.example/saml/acs",
      audience: String = "https://app.example/saml", claims: [Claim] = [], method: String? = nil,
      at: Instant = Instant(secondsSinceEpoch: 1_893_499_200)
    ) {
      self.inResponseTo = inResponseTo
      self.recipient = recipient
      self.audience = audience
      self.claims = claims
      self.method = method
      self.at = at
    }
  }

  public func response(_ answer: Answer) throws -> [UInt8] {
    var draft = TokenDraft(
      issuer: entityID, audiences: [answer.audience], issuedAt: answer.at, id: answer.id)
    draft.subject = answer.subject
    draft.claims = ClaimSet(answer.claims)
    var delivery = SAMLDelivery(
      recipient: answer.recipient, inResponseTo: answer.inResponseTo,
      nameFormat: answer.nameFormat, authenticationMethod: answer.method,
      sessionIndex: answer.session)
    delivery.sessionEnd = answer.sessionEnd
    return try SAMLIssuer(.v2, key: key).response(
      draft, delivery: delivery, signing: answer.signing)
  }

  /// The form that a browser posts.
  public func message(_ answer: Answer, relayState: String? = nil) throws -> WebRequest {
    Self.form(
      [("SAMLResponse", Data(try response(answer)).base64EncodedString())]
        + (relayState.map { [("RelayState", $0)] } ?? []))
  }

  public static func form(_ fields: [(String, String)]) -> WebRequest {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-._~")
    let body = fields.map { name, value in
      name + "=" + (value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")
    }.joined(separator: "&")
    return WebRequest(
      method: "POST", path: "/", contentType: "application/x-www-form-urlencoded",
      body: Array(body.utf8))
  }
}
