import SecurityKeys
import TokenBasics

/// An authorization request of the code flow (RFC 6749, 4.1.1).
public struct AuthorizationRequest: Sendable {
  /// The client's identifier (`client_id`).
  public var clientID: String
  /// The address to which the browser returns (`redirect_uri`).
  public var redirectURI: HTTPURL
  /// The requested scope, elements separated by spaces.
  public var scope: String
  /// Opaque text that ties the response to this request.
  public var state: String
  /// The proof key (RFC 7636); nil leaves it out.
  public var proofKey: ProofKey?
  /// The nonce that the issuer must write into the token (OpenID Connect Core 1.0, 3.1.2.1). Pass it to the
  /// grant too, which compares it. Nil if the issuer supports none.
  public var nonce: String?

  /// A request with these parameters; nil leaves a parameter out.
  public init(
    clientID: String, redirectURI: HTTPURL, scope: String, state: String,
    proofKey: ProofKey? = nil, nonce: String? = nil
  ) {
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.scope = scope
    self.state = state
    self.proofKey = proofKey
    self.nonce = nonce
  }

  /// `endpoint` with the request appended to its query.
  public func address(at endpoint: HTTPURL) -> HTTPURL {
    var parameters = [
      ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI.text),
      ("scope", scope), ("state", state),
    ]
    if let proofKey {
      parameters += [("code_challenge", proofKey.challenge), ("code_challenge_method", "S256")]
    }
    if let nonce { parameters.append(("nonce", nonce)) }
    return endpoint.adding(parameters)
  }
}

/// A proof key for code exchange (RFC 7636, S256): an intercepted code is useless without the
/// verifier.
public struct ProofKey: Sendable {
  /// 43 unguessable characters, the base64url of 32 random octets; sent with the code.
  public let verifier: Secret

  /// A proof key with a random verifier.
  public init(random: RandomSource = RandomSource()) {
    verifier = Secret(Base64.encode(random.octets(32), .url))
  }

  /// A proof key with a given verifier.
  public init(verifier: Secret) { self.verifier = verifier }

  /// The base64url of the verifier's SHA-256, for the request.
  public var challenge: String {
    Base64.encode(DigestAlgorithm.sha256.digest(of: Array(verifier.revealed.utf8)) ?? [], .url)
  }
}
