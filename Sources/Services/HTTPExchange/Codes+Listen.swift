public import TokenErrors

extension TokenError.Code {
  /// Somebody else listens there.
  public static let listenInUse = Self(
    "listen.in-use",
    "another process listens at this address",
    hint: "end that process, or give this one another address")
  /// The system does not let the command listen there.
  public static let listenRefused = Self(
    "listen.refused",
    "the system does not let the command listen at this address",
    hint:
      "the host has to be an address of this machine; a port below 1024 may need rights that the "
      + "command does not have")
  /// A certificate or a private key that TLS cannot be spoken with.
  public static let listenTLS = Self(
    "listen.tls",
    "TLS cannot be spoken with this certificate and this private key",
    hint:
      "both are PEM files: the certificate first and those that issued it behind it, and the private key that "
      + "belongs to it, without a passphrase")
  /// The codes of what listens.
  public static let listenCodes: [Self] = [.listenInUse, .listenRefused, .listenTLS]
}
