package import Claims

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
