#if Redis
  import NIOSSL
  public import RedisStores
  import Synchronization

  /// Connections to one server, made when they are needed and made anew when they end.
  ///
  /// No command is sent twice: one whose connection broke may have been run.
  public final class RedisClient: RedisCommands {
    private let slots: [RedisSlot]
    private let turn = Atomic<Int>(0)

    /// A client; it connects with the first command.
    ///
    /// - Throws: `store.address` for certificates that cannot be read.
    public init(_ settings: RedisSettings) throws(TokenError) {
      var tls: NIOSSLContext?
      if settings.address.isSecure {
        do {
          var configuration = TLSConfiguration.makeClientConfiguration()
          if let path = settings.trustedRoots { configuration.trustRoots = .file(path) }
          configuration.minimumTLSVersion = .tlsv12
          tls = try NIOSSLContext(configuration: configuration)
        } catch {
          throw TokenError(
            .storeAddress, node: "trusted roots", expected: "certificates in PEM",
            found: "\(type(of: error))")
        }
      }
      let context = tls
      slots = (0..<max(1, settings.connections)).map { _ in RedisSlot(settings, context) }
    }

    /// The replies to commands.
    ///
    /// - Throws: `store.unavailable`, `store.timeout`, `store.refused`, `store.protocol`.
    public func replies(to commands: [RESPCommand]) async throws(TokenError) -> [RESPReply] {
      let number = turn.wrappingAdd(1, ordering: .relaxed).oldValue
      let first = Int(UInt(bitPattern: number) % UInt(slots.count))
      // One that has just failed pauses while others may be well.
      let order = slots[first...] + slots[..<first]
      let slot = order.first { !$0.isPausing } ?? slots[first]
      return try await slot.replies(to: commands)
    }

    /// Ends the connections; what waits for a reply fails.
    public func close() { for slot in slots { slot.close() } }
  }
#endif
