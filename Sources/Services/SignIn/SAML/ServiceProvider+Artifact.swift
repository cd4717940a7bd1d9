public import Federation
public import HTTPExchange
import Octets
import TokenBasics
import XMLTree

extension ServiceProvider {
  /// Asks the identity provider for the response that an artifact stands for (SAML Profiles 4.1, 5; SAML Bindings
  /// 3.6). The response then passes the checks of ``finish(_:_:from:trust:used:at:)``, its own signature
  /// among them: the channel vouches for nothing.
  ///
  /// - Parameters:
  ///   - artifact: The artifact that the browser brought.
  ///   - pending: The pending sign-in that ``SAMLArtifact/request`` names.
  ///   - provider: The identity provider.
  ///   - trust: The trusted issuers and their keys.
  ///   - used: Remembers artifacts, each of which is resolved once.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `client.parameter` without ``backChannel``; `signin.other-issuer`, `signin.other-request`,
  ///   `signin.no-endpoint`, `replay.used`, `transport.*`, `xml.*`, `signature.*`; `response.status`, and
  ///   `response.no-assertion` where the identity provider has no response for the artifact.
  public func resolve(
    _ artifact: SAMLArtifact, _ pending: PendingSignIn, from provider: IdentityProvider,
    trust: Trust, used: any ReplayStore, at now: Instant
  ) async throws(TokenError) -> SAMLAnswer {
    guard let backChannel else {
      throw TokenError(.clientParameter, node: "SAMLart", expected: "SAMLResponse")
    }
    guard try artifact.request.hasSameBytes(as: pending.request), pending.kind == .saml2 else {
      throw TokenError(.signInOtherRequest)
    }
    guard pending.issuer.hasSameBytes(as: provider.entityID),
      artifact.source == DigestAlgorithm.sha1.digest(of: Array(provider.entityID.utf8))
    else {
      throw TokenError(
        .signInOtherIssuer, node: "SAMLart", expected: TokenError.excerpt(pending.issuer))
    }
    guard let endpoint = provider.artifactResolution[artifact.index] else {
      throw TokenError(
        .signInNoEndpoint, node: "ArtifactResolutionService",
        expected: "one of index \(artifact.index)")
    }
    let artifactUse = TokenUse(
      TokenIdentity(signIn: "artifact:\(artifact.text.revealed)"), .begun(pending.begun),
      until: pending.expires, skew: TokenUse.clockDifference)
    let isNew = try await used.remember(artifactUse, at: now)
    guard isNew else { throw TokenError(.replayUsed, node: "SAMLart") }

    let id = "_" + random.hex(20)
    let resolve = OutgoingMessage.artifactResolve(
      header(id, to: endpoint, at: now), artifact: artifact.text.revealed)
    let element = try await SOAPEnvelope.exchange(
      resolve.fragment(signedWith: signingKeys.first), at: "ArtifactResolutionService", endpoint,
      over: backChannel, limits: trust.limits)
    return try answer(
      in: element, to: id, artifact, from: provider, narrowed(trust), now)
  }

  /// The response inside of the answer to our request `id`.
  private func answer(
    in element: Element, to id: String, _ artifact: SAMLArtifact, from provider: IdentityProvider,
    _ trust: Trust, _ now: Instant
  ) throws(TokenError) -> SAMLAnswer {
    var context = VerificationContext(trust, Expectations(), at: now, isDetailed: false)
    let keys = try context.entry(forIssuer: Array(provider.entityID.utf8)[...], .saml20).keys
    // Without a signature it is TLS that says who answers (SAML Bindings 3.6.6).
    let covered = try MessageSignature.verify(element, keys: keys, at: now, limits: trust.limits)
    let response = try ArtifactResponse(reading: covered ?? element)
    guard let request = response.request, request.hasSameBytes(as: id) else {
      throw TokenError(
        .signInOtherRequest, node: "ArtifactResponse", expected: id,
        found: TokenError.excerpt(response.request ?? "none"))
    }
    if let issuer = response.issuer, !issuer.hasSameBytes(as: provider.entityID) {
      throw TokenError(
        .signInOtherIssuer, node: "ArtifactResponse",
        expected: TokenError.excerpt(provider.entityID), found: TokenError.excerpt(issuer))
    }
    guard let message = response.message else {
      throw TokenError(.noAssertion, node: "ArtifactResponse")
    }
    return try SAMLAnswer(resolved: message, relayState: artifact.relayState)
  }
}

/// A reference to a response that the identity provider keeps until it is asked for it (SAML Bindings 3.6), as a
/// browser brought it. Its description contains no secret.
public struct SAMLArtifact: Sendable, CustomStringConvertible, CustomReflectable {
  /// The artifact as received: whoever has it can ask for the response.
  let text: Secret
  /// The index of the endpoint that resolves it.
  let index: Int
  /// SHA-1 of the entity identifier of the identity provider: a name, which proves nothing.
  let source: [UInt8]
  let relayState: String?

  /// Reads a request to the assertion consumer service; nil where it brings no artifact.
  ///
  /// - Throws: `client.duplicate-parameter`, `client.malformed-form`, `client.content-type`;
  ///   `client.parameter` for what is no artifact of type 4 (SAML Bindings 3.6.4).
  public init?(_ message: WebRequest) throws(TokenError) {
    let query = try message.parameters
    let parameters: FormReader
    if message.method.hasSameBytes(as: "GET") {
      parameters = query
    } else {
      guard message.hasForm else { return nil }
      parameters = try message.form
      guard !query.hasAny(of: ["SAMLart"]) else { throw TokenError(.clientDuplicateParameter) }
    }
    guard let text = parameters["SAMLart"] else { return nil }
    guard !parameters.hasAny(of: ["SAMLRequest", "SAMLResponse"]) else {
      throw TokenError(
        .clientParameter, node: "SAMLart", expected: "one of SAMLart and SAMLResponse")
    }
    let octets = try? Base64.decode(text.utf8, whiteSpace: .refused)
    guard let octets, octets.count == Self.size, octets[0] == 0, octets[1] == 4 else {
      throw TokenError(
        .clientParameter, node: "SAMLart", expected: "\(Self.size) octets of type 4 in base64")
    }
    self.text = Secret(text)
    index = Int(octets[2]) << 8 | Int(octets[3])
    source = Array(octets[4..<24])
    relayState = parameters["RelayState"]
  }

  /// The identifier of the request that RelayState names; it only finds the pending sign-in.
  ///
  /// - Throws: `signin.unsolicited` without RelayState.
  public var request: String {
    get throws(TokenError) {
      guard let relayState, !relayState.isEmpty else { throw TokenError(.signInUnsolicited) }
      return relayState
    }
  }

  /// The index of the endpoint alone.
  public var description: String { "SAMLArtifact(index: \(index))" }

  /// Has no children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// Type, endpoint index, source and message handle.
  private static let size = 2 + 2 + 20 + 20
}
