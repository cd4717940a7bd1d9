#if Redis
  import NIOCore
  import NIOPosix
  import RedisStores
  import Synchronization
  import Testing
  import TokenBasics

  /// A server that answers each of its connections as a script says, whatever it is asked.
  @Suite("Connections to a shared server")
  struct RedisConnectionTests {
    private final class Script: ChannelInboundHandler, Sendable {
      typealias InboundIn = ByteBuffer
      typealias OutboundOut = ByteBuffer
      let answers: Mutex<[String?]>

      init(_ answers: [String?]) { self.answers = Mutex(answers) }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
          return context.close(promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        // Half a reply, and then the end.
        if answer.hasSuffix("-") { context.close(promise: nil) }
      }
    }

    /// - Parameter answers: To each read of each connection; nil, and the end, close it.
    private func serving(
      _ answers: [[String?]], timeout: Int64 = 5_000, _ body: (RedisSettings) async throws -> Void
    ) async throws {
      let left = Mutex(answers)
      let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
          let next = left.withLock { $0.isEmpty ? [] : $0.removeFirst() }
          return channel.pipeline.addHandler(Script(next))
        }.bind(host: "127.0.0.1", port: 0).get()
      var settings = RedisSettings(
        try RedisAddress("redis://127.0.0.1:\(channel.localAddress?.port ?? 0)"))
      settings.timeout = timeout
      settings.connections = 1
      try await body(settings)
      try await channel.close()
    }

    private func code(_ client: RedisClient) async -> TokenError.Code? {
      do throws(TokenError) {
        _ = try await client.replies(to: [RESPCommand("GET", "a"), RESPCommand("GET", "b")])
        return nil
      } catch {
        return error.code
      }
    }

    @Test("What ends too early, is no reply, or comes unasked ends the connection with its code")
    func broken() async throws {
      for (answer, code) in [
        (nil, .storeUnavailable), ("+a\r\n-", .storeUnavailable),
        ("HTTP/1.1 400\r\n", .storeProtocol),
        ("+a\r\n+b\r\n+c\r\n+d\r\n", nil),
      ] as [(String?, TokenError.Code?)] {
        try await serving([["+PONG\r\n", answer, nil]]) { settings in
          let client = try RedisClient(settings)
          if let code {
            #expect(await self.code(client) == code)
          } else {
            #expect(await self.code(client) == nil)
            // The replies without a command have ended it.
            #expect(await self.code(client) != nil)
          }
          client.close()
        }
      }
    }

    @Test("A server that is silent is given up after the time-out")
    func silent() async throws {
      try await serving([["+PONG\r\n", ""]], timeout: 50) { settings in
        let client = try RedisClient(settings)
        #expect(await code(client) == .storeTimeout)
      }
      // Already silent at the greeting.
      try await serving([[""]], timeout: 50) { settings in
        let client = try RedisClient(settings)
        #expect(await code(client) == .storeTimeout)
      }
    }

    @Test("A refused password is refused, and neither user nor password is in the error")
    func refused() async throws {
      try await serving([["-WRONGPASS invalid username-password pair ada secret\r\n+PONG\r\n"]]) {
        settings in
        var settings = settings
        settings.password = Secret("secret")
        let client = try RedisClient(settings)
        do throws(TokenError) {
          _ = try await client.replies(to: [RESPCommand("PING")])
          Issue.record("it passed")
        } catch {
          #expect(error.code == .storeRefused && error.found?.contains("WRONGPASS") == true)
          #expect(!"\(error)".contains("secret") && !"\(error)".contains("ada"))
        }
      }
    }

    @Test("A connection that ended is made anew by the next command")
    func anew() async throws {
      let answers = ["+PONG\r\n", "+a\r\n+b\r\n", nil] as [String?]
      try await serving([answers, answers]) { settings in
        let client = try RedisClient(settings)
        #expect(await code(client) == nil)
        #expect(await code(client) == .storeUnavailable)
        #expect(await code(client) == nil)
      }
    }

    @Test(
      "SVC-8: A server that was demoted, is loading or full, or knows us no more is left for the one behind its address",
      arguments: [
        "READONLY", "LOADING", "MASTERDOWN", "NOAUTH", "OOM", "MISCONF", "NOREPLICAS",
        "CLUSTERDOWN",
      ])
    func failover(kind: String) async throws {
      let demoted = "-\(kind) no\r\n+b\r\n"
      try await serving([
        ["+PONG\r\n"] + [String?](repeating: demoted, count: 1_000),
        ["+PONG\r\n"] + [String?](repeating: "+a\r\n+b\r\n", count: 1_000),
      ]) { settings in
        let client = try RedisClient(settings)
        func isWell() async throws -> Bool {
          let replies = try await client.replies(
            to: [RESPCommand("SET", "a"), RESPCommand("GET", "b")])
          // What the old one can still do goes on meanwhile.
          #expect(replies.last == .status(Array("b".utf8)))
          return replies.first == .status(Array("a".utf8))
        }
        var tries = 1
        while try await !isWell(), tries < 900 { tries += 1 }
        #expect((2..<900).contains(tries))
      }
    }

    @Test("A server that is away is not connected to for each request")
    func waiting() async throws {
      let tries = Atomic<Int>(0)
      let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
          tries.add(1, ordering: .relaxed)
          return channel.pipeline.addHandler(Script([nil]))
        }.bind(host: "127.0.0.1", port: 0).get()
      var settings = RedisSettings(
        try RedisAddress("redis://127.0.0.1:\(channel.localAddress?.port ?? 0)"))
      settings.connections = 1
      let client = try RedisClient(settings)
      // The pause doubles to a second: so many requests would take half a minute.
      for _ in 0..<40 { #expect(await code(client) == .storeUnavailable) }
      #expect((1..<40).contains(tries.load(ordering: .relaxed)))
      try await channel.close()
    }

    @Test("A connection that was refused just now is passed over for one that works")
    func passedOver() async throws {
      // The second connection works, and no other one.
      let well = ["+PONG\r\n"] + [String?](repeating: "+a\r\n+b\r\n", count: 200)
      try await serving([[nil], well]) { settings in
        var settings = settings
        settings.connections = 2
        let client = try RedisClient(settings)
        var refused = 0
        for _ in 0..<200 where await code(client) != nil { refused += 1 }
        // It is tried again after a pause that doubles to a second, and not at every second request.
        #expect((1..<50).contains(refused))
        client.close()
      }
    }

    @Test("Nothing is asked and nothing is answered")
    func nothing() async throws {
      try await serving([["+PONG\r\n", "+a\r\n+b\r\n"]], timeout: 500) { settings in
        let client = try RedisClient(settings)
        #expect(try await client.replies(to: []).isEmpty)
        #expect(await code(client) == nil)
      }
    }

    @Test("Another error of the server ends no connection")
    func otherErrors() async throws {
      try await serving([["+PONG\r\n", "-WRONGTYPE no\r\n-NOPERM no\r\n", "+a\r\n+b\r\n"]]) {
        settings in
        let client = try RedisClient(settings)
        #expect(await code(client) == nil)
        #expect(await code(client) == nil)
      }
    }

    @Test("A user without a password, or with an empty one, is refused before anything is sent")
    func userWithoutPassword() throws {
      let address = try RedisAddress("redis://gate@127.0.0.1:1")
      for password in [nil, Secret("")] {
        let error = #expect(throws: TokenError.self) {
          try RedisClient(RedisSettings(address, password: password))
        }
        #expect(error?.code == .storeAddress)
      }
      _ = try RedisClient(RedisSettings(address, password: Secret("p")))
      // Nor is a certificate taken without TLS, which would send it to nobody.
      var settings = RedisSettings(try RedisAddress("redis://127.0.0.1:1"))
      (settings.certificate, settings.privateKey) = ("c", "k")
      let error = #expect(throws: TokenError.self) { try RedisClient(settings) }
      #expect(error?.code == .storeAddress)
    }

    @Test("What is wrong with TLS is said in words")
    func tls() async throws {
      try await serving([["+PONG\r\n"]]) { settings in
        var secure = RedisSettings(
          try RedisAddress("rediss://127.0.0.1:\(settings.address.port)"))
        secure.connections = 1
        let client = try RedisClient(secure)
        do throws(TokenError) {
          _ = try await client.replies(to: [RESPCommand("PING")])
          Issue.record("it passed")
        } catch {
          #expect(error.code == .storeTLS)
          #expect(error.found?.contains("does not speak TLS") == true, "\(error)")
        }
      }
      for (certificate, key, node) in [
        ("/nonexistent", "/nonexistent", "certificate"), ("/nonexistent", nil, "certificate"),
      ] {
        var secure = RedisSettings(try RedisAddress("rediss://127.0.0.1:1"))
        (secure.certificate, secure.privateKey) = (certificate, key)
        let error = #expect(throws: TokenError.self) { try RedisClient(secure) }
        #expect(error?.code == .storeAddress && error?.node == node)
      }
    }

    @Test("A socket of this machine is an address too", .enabled(if: RedisProcess.program != nil))
    func socket() async throws {
      try await RedisProcess.serving { _, path in
        let client = try RedisClient(RedisSettings(try RedisAddress("unix://\(path)")))
        try await client.check()
        client.close()
        let none = try RedisClient(RedisSettings(try RedisAddress("unix://\(path)-none")))
        let error = await #expect(throws: TokenError.self) { try await none.check() }
        #expect(error?.code == .storeUnavailable)
        #expect(error?.found?.contains("No such file") == true, "\(String(describing: error))")
        #expect(error?.found?.contains("errno") == false)
      }
    }

    @Test(
      "No server listens: each request is told at once; certificates that cannot be read are refused"
    )
    func away() async throws {
      let settings = RedisSettings(try RedisAddress("redis://127.0.0.1:1"))
      let client = try RedisClient(settings)
      for _ in 0..<3 { #expect(await code(client) == .storeUnavailable) }
      var secure = RedisSettings(try RedisAddress("rediss://127.0.0.1:1"))
      secure.trustedRoots = "/nonexistent"
      let error = #expect(throws: TokenError.self) { try RedisClient(secure) }
      #expect(error?.code == .storeAddress)
    }
  }
#endif
