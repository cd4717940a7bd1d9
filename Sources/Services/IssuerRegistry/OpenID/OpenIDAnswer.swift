package import Claims
import JSONWebTokens

/// Makes the two requests for a provider and checks their responses, without a clock or network.
struct OpenIDAnswer {
  let source: OpenIDSource

  /// The request for the discovery document.
  func discoveryRequest() throws(TokenError) -> HTTPRequest { try request(source.url) }

  /// The request for the keys, at the address that the discovery document names.
  func keysRequest(_ configuration: OpenIDConfiguration) throws(TokenError) -> HTTPRequest {
    try request(configuration.keySetAddress)
  }

  /// The discovery document.
  /// - Throws: `transport.*`, `registry.*`, `input.*`.
  func configuration(from response: HTTPResponse) throws(TokenError) -> OpenIDConfiguration {
    try OpenIDConfiguration(
      parsing: FetchedDocument.octets(of: response, upTo: source.maximumBytes),
      issuer: source.issuer)
  }

  /// The provider with those of its keys that can be used; secrets and private keys are passed over
  /// (JWT-28).
  /// - Throws: `transport.*`, `registry.*`, `input.*`, `key.*`.
  func provider(
    _ configuration: OpenIDConfiguration, from discovery: HTTPResponse, keys response: HTTPResponse
  ) throws(TokenError) -> AcceptedProvider {
    let address = configuration.keySetAddress.description
    let set = try FetchedDocument.keySet(
      FetchedDocument.octets(of: response, upTo: source.maximumBytes), from: address)
    return AcceptedProvider(
      configuration: configuration,
      issuer: TrustedIssuer(
        .exactly(source.issuer), keys: set.keys, formats: [.jwt], projection: source.projection,
        source: .metadata),
      passedOver: set.passedOver(allowing: []).map { $0.within(address) },
      cacheSeconds: [discovery, response].compactMap(FetchedDocument.maxAge).min().map {
        min($0, source.schedule.usual)
      })
  }

  private func request(_ url: HTTPURL) throws(TokenError) -> HTTPRequest {
    try FetchedDocument.request(url, upTo: source.maximumBytes, timeout: source.timeout)
  }
}

/// The content of an accepted discovery document, with the keys that it led to.
package struct AcceptedProvider: Sendable {
  package let configuration: OpenIDConfiguration
  /// The issuer with the keys of its key set.
  package let issuer: TrustedIssuer
  /// Why keys of its key set are passed over, each with the address of the set and its place there.
  package let passedOver: [TokenError]
  /// The shorter `max-age` of the two documents, if they have one; at most the usual time between fetches, because
  /// a provider must not keep a withdrawn key for longer.
  let cacheSeconds: Int64?
}

extension AcceptedProvider: FetchedTrust {
  var issuers: [TrustedIssuer] { [issuer] }
  /// A key set has no end.
  var validUntil: Instant? { nil }
}
