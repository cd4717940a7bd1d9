#if Redis
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
#endif
