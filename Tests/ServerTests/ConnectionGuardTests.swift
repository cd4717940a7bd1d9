#if Server
  @testable import CommandServer
  import NIOCore
  import NIOEmbedded
  import NIOHTTP1
  import Testing

  /// SVC-9: a peer that lets us wait costs a bounded time, and a bounded part of the memory.
  @Suite("Connections that wait")
  final class ConnectionGuardTests {
    private var channels: [EmbeddedChannel] = []

    deinit { for channel in channels { _ = try? channel.finish(acceptAlreadyClosed: true) } }

    /// A connection as a listener sets it up, on a clock of its own.
    private func channel(
      _ connections: Connections = Connections(most: 10), bodyLimit: Int = 100,
      loop: EmbeddedEventLoop = EmbeddedEventLoop()
    ) throws -> EmbeddedChannel {
      let channel = EmbeddedChannel(loop: loop)
      channels.append(channel)
      let pipeline = channel.pipeline.syncOperations
      try pipeline.configureHTTPServerPipeline(
        withPipeliningAssistance: false, withErrorHandling: false)
      try pipeline.addHandler(
        GuardInstaller(connections, WaitingTimes(), bodyLimit: bodyLimit))
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      return channel
    }

    private func send(_ text: String, _ channel: EmbeddedChannel) throws {
      try channel.writeInbound(ByteBuffer(string: text))
    }

    private func sent(_ channel: EmbeddedChannel) throws -> String {
      var text = ""
      while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
        text += String(buffer: buffer)
      }
      return text
    }

    private func answer(_ channel: EmbeddedChannel) {
      var head = HTTPResponseHead(version: .http1_1, status: .ok)
      head.headers.add(name: "Content-Length", value: "0")
      channel.write(HTTPServerResponsePart.head(head), promise: nil)
      channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
      channel.embeddedEventLoop.run()
    }

    @Test("SVC-9 A header has ten seconds from its first octet, and 408 says so")
    func header() throws {
      let channel = try channel()
      channel.embeddedEventLoop.advanceTime(by: .seconds(20))
      try send("POST / HTTP/1.1\r\nHost:", channel)
      channel.embeddedEventLoop.advanceTime(by: .seconds(9))
      // Another octet buys no more time.
      try send(" a", channel)
      #expect(channel.isActive)
      channel.embeddedEventLoop.advanceTime(by: .seconds(1))
      #expect(!channel.isActive)
      #expect(try sent(channel).hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
    }

    @Test(
      "A body has thirty seconds, however much of it comes; one that is there in time is answered")
    func body() throws {
      for isWhole in [false, true] {
        let channel = try channel()
        try send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n", channel)
        for _ in 0..<14 {
          channel.embeddedEventLoop.advanceTime(by: .seconds(2))
          try send("x", channel)
        }
        #expect(channel.isActive)
        if isWhole {
          try send("xxxxxx", channel)
          answer(channel)
          #expect(try sent(channel).hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(channel.isActive == isWhole)
        #expect(try sent(channel).hasPrefix("HTTP/1.1 408 Request Timeout\r\n") == !isWhole)
      }
    }

    @Test("Between requests a connection has sixty seconds, and each request begins them anew")
    func idle() throws {
      let channel = try channel()
      for _ in 0..<3 {
        channel.embeddedEventLoop.advanceTime(by: .seconds(59))
        try send("GET / HTTP/1.1\r\nHost: a\r\n\r\n", channel)
        answer(channel)
        #expect(channel.isActive)
      }
      channel.embeddedEventLoop.advanceTime(by: .seconds(60))
      #expect(!channel.isActive)
      // Nobody asked for anything.
      #expect(try !sent(channel).contains("408"))
    }

    @Test("An answer that nobody takes, or that does not come, has sixty seconds")
    func answers() throws {
      let channel = try channel()
      try send("GET / HTTP/1.1\r\nHost: a\r\n\r\n", channel)
      channel.embeddedEventLoop.advanceTime(by: .seconds(59))
      #expect(channel.isActive)
      channel.embeddedEventLoop.advanceTime(by: .seconds(1))
      #expect(!channel.isActive)
    }

    @Test("The end of an answer is no write of its own, and a flush keeps nothing back")
    func writes() throws {
      for isStreamed in [false, true] {
        let channel = try channel()
        try send("GET / HTTP/1.1\r\nHost: a\r\n\r\n", channel)
        var head = HTTPResponseHead(version: .http1_1, status: .ok)
        head.headers.add(name: "Content-Length", value: "2")
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        if isStreamed {
          channel.flush()
          channel.embeddedEventLoop.run()
          #expect(try sent(channel).hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
        channel.write(
          HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "ab"))), promise: nil)
        channel.write(HTTPServerResponsePart.end(nil), promise: nil)
        channel.flush()
        channel.embeddedEventLoop.run()
        var sizes: [Int] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
          sizes.append(buffer.readableBytes)
        }
        #expect(sizes.count == (isStreamed ? 1 : 2) && sizes.last == 2, "\(sizes)")
      }
    }

    @Test("Answers of one turn of the loop leave together, and one before a close is not lost")
    func together() throws {
      let loop = EmbeddedEventLoop()
      let connections = Connections(most: 10)
      let both = [try channel(connections, loop: loop), try channel(connections, loop: loop)]
      for channel in both {
        try send("GET / HTTP/1.1\r\nHost: a\r\n\r\n", channel)
        channel.write(
          HTTPServerResponsePart.head(.init(version: .http1_1, status: .noContent)), promise: nil)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        #expect(try sent(channel).isEmpty)
      }
      both[0].close(promise: nil)
      #expect(try sent(both[0]).hasPrefix("HTTP/1.1 204 No Content\r\n"))
      #expect(try sent(both[1]).isEmpty)
      loop.run()
      #expect(try sent(both[1]).hasPrefix("HTTP/1.1 204 No Content\r\n"))
    }

    @Test(
      "A connection whose peer has not taken its answer does not give way; one whose peer has does")
    func taken() throws {
      for isTaken in [false, true] {
        let loop = EmbeddedEventLoop()
        let connections = Connections(most: 2)
        let slow = try channel(connections, loop: loop)
        try send("GET / HTTP/1.1\r\nHost: a\r\n\r\n", slow)
        slow.isWritable = false
        answer(slow)
        if isTaken {
          slow.isWritable = true
          slow.pipeline.fireChannelWritabilityChanged()
        }
        loop.advanceTime(by: .seconds(1))
        let others = try (0..<2).map { _ in try channel(connections, loop: loop) }
        loop.run()
        #expect(slow.isActive == !isTaken)
        #expect(others.count(where: \.isActive) == (isTaken ? 2 : 1))
      }
    }

    @Test("At the end of the command half a body has eight seconds more")
    func end() throws {
      let channel = try channel()
      try send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\nabc", channel)
      channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
      channel.embeddedEventLoop.advanceTime(by: .seconds(7))
      #expect(channel.isActive)
      channel.embeddedEventLoop.advanceTime(by: .seconds(1))
      #expect(!channel.isActive)
    }

    @Test(
      "A client that asks before it sends a body is told to go on, unless the body is too large")
    func expectation() throws {
      for (length, isTold) in [(100, true), (101, false)] {
        let channel = try channel()
        try send(
          "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: \(length)\r\n\r\n",
          channel)
        #expect(try sent(channel) == (isTold ? "HTTP/1.1 100 Continue\r\n\r\n" : ""))
        answer(channel)
        #expect(try sent(channel).hasPrefix("HTTP/1.1 200 OK\r\n"))
      }
      for (version, expected) in [("1.0", "100-continue"), ("1.1", "200-ok")] {
        let channel = try channel()
        try send(
          "POST / HTTP/\(version)\r\nHost: a\r\nExpect: \(expected)\r\nContent-Length: 2\r\n\r\n",
          channel)
        #expect(try sent(channel) == "", "\(version) \(expected)")
      }
    }

    @Test(
      "A request to switch protocols is answered with Connection: close, and the connection ends",
      arguments: [
        "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        "GET / HTTP/1.0\r\nUpgrade: h2c\r\nConnection: keep-alive, upgrade\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: other\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nUpgrade: other\r\nConnection: Upgrade\r\nContent-Length: 2\r\n\r\nab",
        "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
      ])
    func upgrade(request: String) throws {
      for isPipelined in [false, true] {
        let channel = try channel()
        let plain = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        try send((isPipelined ? plain : "") + request + plain, channel)
        if isPipelined {
          answer(channel)
          #expect(try !sent(channel).lowercased().contains("connection: close"))
        }
        answer(channel)
        #expect(try sent(channel).contains("Connection: close\r\n"), "\(request)")
        // Nothing behind it reaches the service.
        var heads = 0
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
          if case .head = part { heads += 1 }
        }
        #expect(heads == (isPipelined ? 2 : 1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
        #expect(try sent(channel).isEmpty)
      }
    }

    @Test(
      "A request that was answered before its body came gets no second answer",
      arguments: ["", "Upgrade: other\r\nConnection: Upgrade\r\n"])
    func early(fields: String) throws {
      let channel = try channel()
      try send("POST / HTTP/1.1\r\nHost: a\r\n\(fields)Content-Length: 20\r\n\r\n", channel)
      answer(channel)
      #expect(try sent(channel).hasPrefix("HTTP/1.1 200 OK\r\n"))
      channel.embeddedEventLoop.advanceTime(by: .seconds(30))
      #expect(!channel.isActive)
      #expect(try sent(channel).isEmpty)
    }

    @Test("A request without Upgrade leaves the connection open")
    func noUpgrade() throws {
      let channel = try channel()
      for _ in 0..<2 {
        try send("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n\r\n", channel)
        answer(channel)
        #expect(try !sent(channel).lowercased().contains("connection"))
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(channel.isActive)
      }
    }

    @Test("A request that names no host or two is an error of its connection; HTTP/1.0 names none")
    func hosts() throws {
      for (request, isRead) in [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", true),
        ("GET / HTTP/1.0\r\n\r\n", true),
        ("GET / HTTP/1.1\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", false),
        ("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", false),
      ] {
        let channel = try channel()
        if isRead {
          try send(request, channel)
        } else {
          #expect(throws: HTTPParserError.self) { try send(request, channel) }
        }
        let part = try channel.readInbound(as: HTTPServerRequestPart.self)
        #expect((part != nil) == isRead, "\(request)")
        // The server answers an error of its connection with 400.
        answer(channel)
        #expect(try sent(channel).contains("Connection: close\r\n") == !isRead)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(channel.isActive == isRead)
      }
    }

    @Test("Beyond the most, the connections that wait longest for a request give way, and no other")
    func most() throws {
      let loop = EmbeddedEventLoop()
      let connections = Connections(most: 3)
      func next() throws -> EmbeddedChannel {
        loop.advanceTime(by: .seconds(1))
        return try channel(connections, loop: loop)
      }
      let (asking, first, second) = (try next(), try next(), try next())
      try send("GET / HTTP/1.1\r\nHost: a\r\n\r\n", asking)
      #expect(asking.isActive && first.isActive && second.isActive)
      let third = try next()
      loop.run()
      #expect(asking.isActive && !first.isActive && second.isActive && third.isActive)
      #expect(connections.count == 3)
      // In the middle of a header: those without an octet go before.
      try send("GET /", second)
      let fourth = try next()
      loop.run()
      #expect(asking.isActive && second.isActive && !third.isActive && fourth.isActive)
      for channel in [second, fourth] {
        try send(
          "GET / HTTP/1.1\r\nHost: a\r\n\r\n".dropFirst(channel === second ? 5 : 0).description,
          channel)
      }
      // Where all are being answered, the newcomer goes.
      let fifth = try next()
      loop.run()
      #expect(asking.isActive && second.isActive && fourth.isActive && !fifth.isActive)
    }

    @Test("Some more give way than has to be, and while they leave nobody else does")
    func leaving() throws {
      let loop = EmbeddedEventLoop()
      let connections = Connections(most: 128)
      let open = try (0..<130).map { _ in try channel(connections, loop: loop) }
      loop.run()
      #expect(open.count(where: \.isActive) == 127 && connections.count == 127)
    }

    @Test("Of several bodies the largest gives way, whichever came first")
    func largest() throws {
      for _ in 0..<16 {
        let connections = Connections(most: 10, octets: 100)
        let all = try (0..<3).map { _ in try channel(connections) }
        for (channel, length) in zip(all, [20, 50, 31]) {
          try send(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 90\r\n\r\n"
              + String(repeating: "x", count: length), channel)
        }
        for channel in all { channel.embeddedEventLoop.run() }
        #expect(all.map(\.isActive) == [true, false, true])
      }
    }

    @Test("Of the bodies that are under way the largest gives way where all together are too large")
    func octets() throws {
      let connections = Connections(most: 10, octets: 100)
      let (large, small) = (try channel(connections), try channel(connections))
      for (channel, length) in [(large, 70), (small, 20)] {
        try send(
          "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 90\r\n\r\n"
            + String(repeating: "x", count: length), channel)
      }
      #expect(large.isActive && small.isActive)
      try send("xxxxxxxxxxxxxxx", small)
      large.embeddedEventLoop.run()
      #expect(!large.isActive && small.isActive)
      // What was held is free again.
      let next = try channel(connections)
      try send(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 90\r\n\r\n"
          + String(repeating: "x", count: 60), next)
      #expect(next.isActive && small.isActive)
    }

    @Test(
      "There are fewer connections than descriptors, with some kept, at any limit of the system")
    func descriptors() {
      #expect(Descriptors.connections(of: 1_024) == 736)
      #expect(Descriptors.connections(of: 256) == 159)
      #expect(Descriptors.connections(of: 6_000) == 5_218)
      #expect(Descriptors.connections(of: 1_048_576) == 16_384)
      #expect(Descriptors.connections(of: 0) == 1)
    }
  }
#endif
