public import TokenBasics

extension TokenError.Code {
  /// Nothing is trusted yet, because nothing could be read or fetched.
  public static let registryUnavailable = Self(
    "registry.unavailable",
    "no issuer is known yet, because its keys could not be read or fetched",
    fault: .provider,
    hint:
      "the cause is the code that was found; the registry's health has more, and it tries again "
      + "by itself")
  /// The last good metadata has come to its end.
  public static let registryTrustExpired = Self(
    "registry.trust-expired",
    "the last good metadata has expired, and nothing newer could be fetched",
    fault: .provider,
    hint:
      "the registry's health shows since when fetching fails and why; repair that or ask the publisher"
  )
  /// Fetched metadata whose time is over.
  public static let registryDocumentExpired = Self(
    "registry.document-expired",
    "the metadata that was fetched has already expired",
    fault: .provider,
    hint: "the publisher must renew validUntil; check this machine's clock as well")
  /// The fetched metadata describes another entity.
  public static let registryEntityMismatch = Self(
    "registry.entity-mismatch",
    "the metadata that was fetched does not describe the entity that it was fetched for",
    fault: .provider, hint: "compare the configured entityID with the document's, byte for byte")
  /// Older metadata, served again.
  public static let registryRollback = Self(
    "registry.rollback",
    "the metadata that was fetched was made before that already accepted",
    fault: .provider,
    hint:
      "an attacker may be serving an old copy to restore a withdrawn key; if the publisher set its "
      + "clock back, wait or remove the copy of the metadata and restart the service")
  /// A compressed body.
  public static let registryContentEncoding = Self(
    "registry.content-encoding",
    "the metadata came compressed, although identity was asked for",
    fault: .provider, hint: "turn compression off for this address; nothing is inflated here")
  /// Two sources, one issuer.
  public static let registryDuplicateIssuer = Self(
    "registry.duplicate-issuer",
    "two registries describe one issuer, so neither is believed",
    fault: .configuration, hint: "nothing decides between the two; keep one")
  /// The trust file cannot be opened or read.
  public static let registryUnreadableFile = Self(
    "registry.unreadable-file",
    "a file of the trust configuration cannot be read",
    fault: .configuration, hint: "check its path and permissions")
  /// A copy of metadata that another user may have written.
  public static let registryUnsafeFile = Self(
    "registry.unsafe-file",
    "another user may have written the copy of metadata",
    fault: .configuration,
    hint: "make it a regular file of the service's own user with mode 0600, or remove it")
  /// The copy of metadata cannot be written.
  public static let registryUnwritableFile = Self(
    "registry.unwritable-file",
    "the copy of metadata for the next start cannot be written",
    fault: .configuration,
    hint: "check its folder, permissions and free space; nothing else depends on it")
  /// An endpoint of a discovery document that leads into this network.
  public static let registryEndpointAddress = Self(
    "registry.endpoint-address",
    "the provider's configuration names an endpoint on loopback or at a bare IP address",
    fault: .provider,
    hint:
      "an endpoint is at a host name, or on the issuer's own host; a document from elsewhere must not "
      + "lead into this network")
  /// An issuer that cannot be asked about a token.
  public static let registryIntrospection = Self(
    "registry.introspection",
    "the issuer cannot be asked about a token, or does not say whether it is active",
    fault: .provider,
    hint:
      "compare the address, clientID and secret of introspection with the issuer's; what was found is the cause"
  )
  /// The codes of this module: why a document was not taken over, or an issuer is not there.
  public static let registryCodes: [Self] = [
    .registryUnavailable, .registryTrustExpired, .registryDocumentExpired,
    .registryEntityMismatch, .registryRollback, .registryContentEncoding,
    .registryDuplicateIssuer, .registryUnreadableFile, .registryUnsafeFile,
    .registryUnwritableFile, .registryEndpointAddress,
    .registryIntrospection,
  ]
}
