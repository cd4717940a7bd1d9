/// The content of accepted metadata.
struct AcceptedMetadata: FetchedTrust {
  let issuers: [TrustedIssuer]
  /// The entities that the source names; none where it wants all of an aggregate.
  var entities: [EntityDescriptor] = []
  /// The expiry of the last of its keys; nil if one has none.
  let validUntil: Instant?
  /// The publisher's `creationInstant`; not later than the acceptance.
  let created: Instant?
  /// The shortest `cacheDuration`, with a month as 30 days.
  let cacheSeconds: Int64?
  /// Why keys of the document are passed over, each with its place.
  var passedOver: [TokenError] = []
  /// The validator of the representation (RFC 9110, 8.8.3), if it is well formed.
  let entityTag: String?
}
