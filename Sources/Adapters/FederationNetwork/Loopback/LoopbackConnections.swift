#if Client
  import NIOCore
  import Synchronization

  /// The connections of one listener, at most ``most``, since any program on this machine can open some.
  final class LoopbackConnections: Sendable {
    /// The maximum number of connections. A browser opens one or a few at once.
    static let most = 16

    private struct Connection: Sendable {
      let channel: any Channel
      /// Whether its request is complete and waits for the response.
      var isComplete = false
    }
    /// The oldest first.
    private let connections = Mutex<[Connection]>([])

    /// Adds a connection. At the maximum, the oldest one without a complete request is closed, so that a new
    /// connection that sends at once is served.
    ///
    /// - Returns: Whether it was added: connections with a complete request are never closed for a new one.
    func admit(_ channel: any Channel) -> Bool {
      let (isAdmitted, evicted) = connections.withLock { list -> (Bool, (any Channel)?) in
        var evicted: (any Channel)?
        if list.count >= Self.most {
          guard let oldest = list.firstIndex(where: { !$0.isComplete }) else { return (false, nil) }
          evicted = list.remove(at: oldest).channel
        }
        list.append(Connection(channel: channel))
        return (true, evicted)
      }
      evicted?.close(promise: nil)
      return isAdmitted
    }

    /// Records that the request is complete.
    /// - Returns: Whether the connection is still open here.
    func complete(_ channel: any Channel) -> Bool {
      connections.withLock { list in
        guard let place = list.firstIndex(where: { $0.channel === channel }) else { return false }
        list[place].isComplete = true
        return true
      }
    }

    func leave(_ channel: any Channel) {
      connections.withLock { list in list.removeAll { $0.channel === channel } }
    }

    /// Closes all connections.
    func close() {
      let all = connections.withLock { list in
        defer { list = [] }
        return list
      }
      for connection in all { connection.channel.close(promise: nil) }
    }
  }
#endif
