/// Why fetched metadata is believed.
public enum MetadataProof: Sendable {
  /// One of these keys signed the whole document. The keys were pinned by configuration.
  case signature([TrustedKey])
  /// It came from the configured server over TLS, signed or not: whoever runs that server, or
  /// breaks into it, names the keys.
  case server
}
