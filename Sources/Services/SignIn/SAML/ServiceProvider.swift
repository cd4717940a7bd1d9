public import Federation
public import HTTPExchange

/// A SAML 2.0 service provider (SAML Profiles 4.1, 4.4): it begins sign-ins, judges their answers, and takes part
/// in single logout.
///
/// What is expected of an answer comes from here and from the pending sign-in, never from the request that
/// brings it (RP-16).
///
///     let begun = try provider.begin(at: idp, returningTo: path, at: now)
///     …
///     let answer = try SAMLAnswer(message)
///     let pending = try sealer.open(answer.request, cookies[sealer.cookieName(of: answer.request)],
///       .saml2, at: now)
///     let principal = try await provider.finish(answer, pending, trust: trust, used: store, at: now)
public struct ServiceProvider: Sendable {
  /// The entity identifier: the audience of its tokens and the issuer of its messages.
  public let entityID: String
  /// Where answers are posted.
  public let consumer: HTTPURL
  /// Where logout messages go; nil for no single logout.
  public let logout: HTTPURL?
  /// The keys that sign our messages; the first signs, the others are published as the next.
  public let signingKeys: [SigningKey]
  /// The keys that decrypt assertions, all of which are tried.
  public let decryptionKeys: [PrivateKey]
  /// Certificates of ``decryptionKeys`` to publish.
  public let encryptionCertificates: [Certificate]
  /// Asks identity providers for what their artifacts stand for; nil, the default, offers no artifacts.
  public var backChannel: (any HTTPTransport)?
  /// How answers are asked for: in a posted form, or by `SAMLBinding.artifact`, which needs ``backChannel``.
  public var answerBinding = SAMLBinding.post
  /// What sign-in requests ask for, unless a sign-in says otherwise.
  public var options = AuthnRequestOptions()
  /// Whether claims out of the issuer's scopes refuse the sign-in instead of being dropped with a warning.
  public var enforcesScopes = false
  let random: RandomSource

  /// A service provider with these keys.
  ///
  /// - Parameters:
  ///   - entityID: The identifier of this service provider.
  ///   - consumer: The address of the assertion consumer service.
  ///   - logout: The address of the logout endpoint; nil for none.
  ///   - signingKeys: Sign requests and logout messages; the first signs, all are in the metadata.
  ///   - decryptionKeys: Decrypt assertions.
  ///   - encryptionCertificates: Published in the metadata for issuers to encrypt to.
  ///   - random: The source of identifiers; another one in tests alone.
  /// - Throws: `signin.configuration` for an empty entity identifier.
  public init(
    entityID: String, consumer: HTTPURL, logout: HTTPURL? = nil, signingKeys: [SigningKey] = [],
    decryptionKeys: [PrivateKey] = [], encryptionCertificates: [Certificate] = [],
    random: RandomSource = RandomSource()
  ) throws(TokenError) {
    guard !entityID.isEmpty else {
      throw TokenError(.signInConfiguration, node: "entityID", expected: "a name")
    }
    self.entityID = entityID
    self.consumer = consumer
    self.logout = logout
    self.signingKeys = signingKeys
    self.decryptionKeys = decryptionKeys
    self.encryptionCertificates = encryptionCertificates
    self.random = random
  }

  /// The metadata to hand to identity providers.
  public func metadata(validUntil: Instant? = nil) -> ServiceProviderMetadata {
    var metadata = ServiceProviderMetadata(
      entityID: entityID, consumer: consumer.text, logout: logout?.text,
      signingCertificates: signingKeys.compactMap(\.certificate),
      encryptionCertificates: encryptionCertificates, signsRequests: !signingKeys.isEmpty,
      validUntil: validUntil)
    metadata.consumerBindings = backChannel == nil ? [.post] : [.post, .artifact]
    metadata.logoutBindings = [.redirect, .post, .soap]
    return metadata
  }

  /// The trust as this service provider applies it: tokens are for it alone, and its keys decrypt.
  func narrowed(_ trust: Trust) -> Trust {
    var own = trust
    own.audiences = .oneOf([entityID])
    if !decryptionKeys.isEmpty { own.decryptionKeys = decryptionKeys.map { DecryptionKey($0) } }
    return own
  }
}
