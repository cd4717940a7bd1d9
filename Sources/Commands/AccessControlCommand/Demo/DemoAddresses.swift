#if Server
  import CommandServer
  import CommandSupport
  import FederationNetwork
  import HTTPExchange

  /// Where the three parts of the demonstration are, all on loopback.
  struct DemoAddresses: Sendable {
    private let ports: [Int]

    /// The first of the usual three ports.
    static let usual = 8090
    /// The ports that a person may ask for: the two after it are used as well.
    static let range = 1...65_533

    /// The asked port and the two after it, or, where none is asked for, the usual three or free ones.
    ///
    /// - Throws: `transport.unreachable` if the system has no free port.
    init(from port: Int?) async throws(TokenError) {
      if let port {
        ports = Array(port..<port + 3)
        return
      }
      let wanted = Array(Self.usual..<Self.usual + 3)
      if let free = try? await LoopbackPorts.free(wanted) {
        ports = free
      } else {
        ports = try await LoopbackPorts.free([0, 0, 0])
        await Self.say(taken: wanted)
      }
    }

    /// Says which of the usual ports are in use: a person who knows the usual addresses looks there.
    private static func say(taken wanted: [Int]) async {
      var taken: [String] = []
      for port in wanted where (try? await LoopbackPorts.free([port])) == nil {
        taken.append(String(port))
      }
      guard !taken.isEmpty else { return }
      CommandMessages.own.note(
        "in use: port \(taken.joined(separator: ", ")); the demonstration has free ports instead")
    }

    /// The issuer's, which is its name.
    var issuer: String { "http://\(issuerListener)/" }
    /// The application's.
    var application: String { "http://\(applicationListener)/" }
    /// The feed's.
    var feed: String { "http://\(feedListener)/" }

    var issuerListener: HostPort { host(0) }
    var applicationListener: HostPort { host(1) }
    var feedListener: HostPort { host(2) }

    private func host(_ index: Int) -> HostPort {
      HostPort(host: "127.0.0.1", port: ports.indices.contains(index) ? ports[index] : 0)
    }
  }
#endif
