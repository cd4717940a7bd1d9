#if Redis
  public import HTTPExchange

  /// How connections to a server are made.
  public struct RedisSettings: Sendable {
    /// Where it is.
    public var address: RedisAddress
    /// The password of the user; nil for none.
    public var password: Secret?
    /// The file of the certificates that TLS trusts, in PEM; nil for those of the system.
    public var trustedRoots: String?
    /// The file of the certificate with which TLS names this client, in PEM, with those above it; nil for none.
    public var certificate: String?
    /// The file of its private key, in PEM.
    public var privateKey: String?
    /// How many connections there are. Each carries any number of commands at once.
    public var connections = 2
    /// Milliseconds until a command, or a connection, is given up.
    public var timeout: Int64 = 2_000

    /// Connections to an address.
    public init(_ address: RedisAddress, password: Secret? = nil, trustedRoots: String? = nil) {
      self.address = address
      self.password = password
      self.trustedRoots = trustedRoots
    }
  }
#endif
