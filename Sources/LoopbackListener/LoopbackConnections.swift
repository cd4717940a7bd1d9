#if Client
  import NIOCore
  import Synchronization

  /// The connections of one listener, of which there are never more than ``most``: any program on this
  /// machine can open some.
  final class LoopbackConnections: Sendable {
    /// A browser opens one, or a few at once. More are a flood.
    static let most = 16

    private struct Connection: Sendable {
      let channel: any Channel
      /// Whether its request is all there and waits for the answer.
      var isComplete = false
    }
    /// The oldest first.
    private let connections = Mutex<[Connection]>([])

    /// Takes a connection in. Where there are too many, the oldest of those whose request is not all
    /// there gives way, so that who comes last, and sends at once, is heard.
    ///
    /// - Returns: Whether there was room: requests that are all there are about to be answered, and give
    ///   way to nobody.
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

    /// Notes that the request is all there.
    /// - Returns: Whether the connection is still one of these.
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

    /// Closes all.
    func close() {
      let all = connections.withLock { list in
        defer { list = [] }
        return list
      }
      for connection in all { connection.channel.close(promise: nil) }
    }
  }
#endif
