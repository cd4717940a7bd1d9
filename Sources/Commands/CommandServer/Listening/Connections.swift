#if Server
  import NIOCore
  import Synchronization

  /// The open connections of a listener. There are never more than it may have: where another one comes, those that
  /// have waited longest for a request give way, as in nginx; and of the bodies that are under way the largest gives
  /// way where all together are too large (SVC-9).
  package final class Connections: Sendable {
    /// One of them.
    final class Connection: Sendable {
      private let channel: any Channel
      /// Nanoseconds of the last change, and the phase in the two lowest bits.
      private let state: Atomic<UInt64>
      /// Octets of a request's body that are in memory.
      fileprivate let held = Atomic<Int>(0)
      private let leaves = Atomic<Bool>(false)

      fileprivate init(_ channel: any Channel, _ now: NIODeadline) {
        self.channel = channel
        state = Atomic(Self.packed(.idle, now))
      }

      func enter(_ phase: ConnectionClock.Phase, at now: NIODeadline) {
        state.store(Self.packed(phase, now), ordering: .relaxed)
      }

      private static func packed(_ phase: ConnectionClock.Phase, _ now: NIODeadline) -> UInt64 {
        now.uptimeNanoseconds & ~3 | UInt64(phase.rawValue)
      }

      /// Sorts before another that is to go later; nil where it is leaving.
      fileprivate var rank: (phase: UInt64, since: UInt64)? {
        guard !leaves.load(ordering: .relaxed) else { return nil }
        let state = state.load(ordering: .relaxed)
        return (state & 3, state & ~3)
      }

      fileprivate func leave() {
        leaves.store(true, ordering: .relaxed)
        // Not at once: a newcomer may be the one, and is still being set up.
        channel.eventLoop.execute { [channel] in channel.close(mode: .all, promise: nil) }
      }
    }

    /// The most connections.
    package let most: Int
    /// The most octets of bodies in memory.
    private let mostOctets: Int
    private let open = Mutex<[ObjectIdentifier: Connection]>([:])
    private let held = Atomic<Int>(0)

    /// - Parameters:
    ///   - most: The most connections.
    ///   - octets: The most octets of bodies that are under way: 64 MiB, sixteen of the largest.
    package init(most: Int, octets: Int = 64 << 20) {
      self.most = max(1, most)
      mostOctets = octets
    }

    /// How many there are.
    package var count: Int { open.withLock { $0.count } }

    func add(_ channel: any Channel, at now: NIODeadline) -> Connection {
      let connection = Connection(channel, now)
      let leaving = open.withLock { open in
        open[ObjectIdentifier(connection)] = connection
        guard open.count > most else { return [Connection]() }
        return Self.leaving(open.values, most)
      }
      for connection in leaving { connection.leave() }
      return connection
    }

    func remove(_ connection: Connection) {
      open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) }
      release(connection)
    }

    /// Those that give way: the ones that wait for a request, longest first; then those in the middle of a header,
    /// then of a body; never one whose request is being answered. Some more than is needed, so that not every
    /// connection has to look at all.
    private static func leaving(
      _ open: Dictionary<ObjectIdentifier, Connection>.Values, _ most: Int
    ) -> [Connection] {
      var waiting: [(rank: (phase: UInt64, since: UInt64), connection: Connection)] = []
      var staying = 0
      for connection in open {
        guard let rank = connection.rank else { continue }
        staying += 1
        if rank.phase != UInt64(ConnectionClock.Phase.answer.rawValue) {
          waiting.append((rank, connection))
        }
      }
      guard staying > most else { return [] }
      waiting.sort { $0.rank < $1.rank }
      return waiting.prefix(staying - most + most / 64).map(\.connection)
    }

    /// Notes octets of a body. Where there are too many in all, the largest body is given up.
    func hold(_ octets: Int, by connection: Connection) {
      connection.held.add(octets, ordering: .relaxed)
      guard held.add(octets, ordering: .relaxed).newValue > mostOctets else { return }
      let largest = open.withLock { open in
        open.values.lazy.filter { $0.rank != nil }
          .max { $0.held.load(ordering: .relaxed) < $1.held.load(ordering: .relaxed) }
      }
      guard let largest else { return }
      release(largest)
      largest.leave()
    }

    /// The body is no longer in memory.
    func release(_ connection: Connection) {
      let octets = connection.held.exchange(0, ordering: .relaxed)
      if octets != 0 { held.subtract(octets, ordering: .relaxed) }
    }
  }
#endif
