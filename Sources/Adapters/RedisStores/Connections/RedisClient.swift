#if Redis
  public import HTTPExchange
  import NIOSSL
  import Synchronization

  /// Connections to one server, made when they are needed and made anew when they end.
  ///
  /// No command is sent twice: one whose connection broke may have been run.
  public final class RedisClient: RedisCommands {
    private let slots: [RedisSlot]
    private let turn = Atomic<Int>(0)

    /// A client; it connects with the first command.
    ///
    /// - Throws: `store.address` for files that cannot be read, and for a user without a password.
    public init(_ settings: RedisSettings) throws(TokenError) {
      // Without a password nothing would be said of the user, and the server would take us for the default one.
      guard settings.address.user == nil || settings.password != nil,
        settings.password?.revealed.isEmpty != true
      else {
        throw TokenError(.storeAddress, node: "password", expected: "one, since there is a user")
      }
      let context = try settings.address.isSecure ? RedisTLS.context(settings) : nil
      guard context != nil || (settings.certificate == nil && settings.privateKey == nil) else {
        throw TokenError(.storeAddress, node: "certificate", expected: "rediss://, with TLS")
      }
      slots = (0..<max(1, settings.connections)).map { _ in RedisSlot(settings, context) }
    }

    // A reload that finds another password makes another client.
    deinit { close() }

    /// The replies to commands.
    ///
    /// - Throws: `store.unavailable`, `store.timeout`, `store.tls`, `store.refused`, `store.protocol`.
    public func replies(to commands: [RESPCommand]) async throws(TokenError) -> [RESPReply] {
      let number = turn.wrappingAdd(1, ordering: .relaxed).oldValue
      let first = Int(UInt(bitPattern: number) % UInt(slots.count))
      // Skip connections that are backing off.
      let order = slots[first...] + slots[..<first]
      let slot = order.first { !$0.isPausing } ?? slots[first]
      return try await slot.replies(to: commands)
    }

    /// Ends the connections; what waits for a reply fails.
    public func close() { for slot in slots { slot.close() } }
  }

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

  /// What a connection trusts, and with what it names itself.
  enum RedisTLS {
    /// - Throws: `store.address`, which names the file.
    static func context(_ settings: RedisSettings) throws(TokenError) -> NIOSSLContext {
      var configuration = TLSConfiguration.makeClientConfiguration()
      configuration.minimumTLSVersion = .tlsv12
      if let path = settings.trustedRoots {
        configuration.trustRoots = .certificates(
          try read("trustedRoots", "certificates in PEM") {
            try NIOSSLCertificate.fromPEMFile(path)
          })
      }
      guard (settings.certificate == nil) == (settings.privateKey == nil) else {
        throw TokenError(.storeAddress, node: "certificate", expected: "beside its privateKey")
      }
      if let path = settings.certificate, let key = settings.privateKey {
        configuration.certificateChain = try read("certificate", "a certificate in PEM") {
          try NIOSSLCertificate.fromPEMFile(path).map { .certificate($0) }
        }
        configuration.privateKey = .privateKey(
          try read("privateKey", "a private key in PEM") {
            try NIOSSLPrivateKey(file: key, format: .pem)
          })
      }
      return try read("certificate", "one that belongs to its privateKey") {
        try NIOSSLContext(configuration: configuration)
      }
    }

    private static func read<Value>(
      _ node: String, _ expected: String, _ body: () throws -> Value
    ) throws(TokenError) -> Value {
      do {
        return try body()
      } catch {
        throw TokenError(
          .storeAddress, node: node, expected: expected, found: "\(type(of: error))")
      }
    }
  }
#endif
