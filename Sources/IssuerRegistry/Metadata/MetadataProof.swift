/// How fetched metadata is authenticated.
public enum MetadataProof: Sendable {
  /// By a signature over the whole document with one of these keys, which the configuration pins.
  case signature([TrustedKey])
  /// By TLS to the configured server, signed or not: the operator of that server, or an intruder,
  /// determines the keys.
  case server
}
