import SAML
import SecurityKeys
import SingleSignOn
import TestSupport
import Foundation

/// An identity provider that answers requests with tokens of its own making.
struct IdentityProviderSimulator {
  let entityID: String
  let key: SigningKey
  let certificate: Certificate
  let provider: IdentityProvider

  init(_ entityID: String = "https://idp.example/", key name: String = "idp-rsa") throws {
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

  static func certificate(_ bytes: [UInt8]) throws -> Certificate {
    guard case .certificate(let certificate) = try VerificationKey(pemOrDER: bytes).material else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return certificate
  }

  var trusted: TrustedIssuer {
    TrustedIssuer(entityID, keys: [.certificate(certificate)], formats: [.saml20])
  }

  /// The values of a response that a test changes.
  struct Answer {
    var inResponseTo: String?
    var recipient: String? = "https://app.example/saml/acs"
    var audience = "https://app.example/saml"
    var id = "_a" + UUID().uuidString
    var claims: [Claim] = []
    var method: String?
    var at = Instant(secondsSinceEpoch: 1_893_499_200)
    var signing = SAMLIssuer.SignedParts.assertion
  }

  func response(_ answer: Answer) throws -> [UInt8] {
    var draft = TokenDraft(
      issuer: entityID, audiences: [answer.audience], issuedAt: answer.at, id: answer.id)
    draft.subject = "ada"
    draft.claims = ClaimSet(answer.claims)
    return try SAMLIssuer(.v2, key: key).response(
      draft,
      delivery: SAMLDelivery(
        recipient: answer.recipient, inResponseTo: answer.inResponseTo,
        authenticationMethod: answer.method, sessionIndex: "s1"), signing: answer.signing)
  }

  /// The form that a browser posts.
  func message(_ answer: Answer, relayState: String? = nil) throws -> IncomingMessage {
    Self.form(
      [("SAMLResponse", Data(try response(answer)).base64EncodedString())]
        + (relayState.map { [("RelayState", $0)] } ?? []))
  }

  static func form(_ fields: [(String, String)]) -> IncomingMessage {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-._~")
    let body = fields.map { name, value in
      name + "=" + (value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")
    }.joined(separator: "&")
    return IncomingMessage(
      method: "POST", path: "/", contentType: "application/x-www-form-urlencoded",
      body: Array(body.utf8))
  }
}
