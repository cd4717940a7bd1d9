/// What good metadata said.
struct AcceptedMetadata: Sendable {
  let issuers: [TrustedIssuer]
  /// When the last of its keys ends; nil when one never does.
  let validUntil: Instant?
  /// When the publisher made it, as it says; not after it was accepted.
  let created: Instant?
  /// The shortest `cacheDuration`, a month taken as 30 days.
  let cacheSeconds: Int64?
  /// The validator of the representation (RFC 9110, 8.8.3), if it can be sent back.
  let entityTag: String?
}
