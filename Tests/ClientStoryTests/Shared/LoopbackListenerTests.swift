#if Client
  import FederationNetwork
  import Federation
  import FederationClient
  import HTTPExchange
  import SecrecyTesting
  import TestSupport
  import Testing

  @Suite("The loopback listener, over sockets")
  struct LoopbackListenerTests {
    static func run(
      _ time: any TimeSource, timeout: Int64 = 300, patience: Int64 = 10,
      _ browse: @escaping @Sendable (HTTPURL, String, AsyncHTTPClientTransport) async throws -> Void
    ) async throws -> RedirectAnswer {
      let transport = try AsyncHTTPClientTransport()
      let listener = LoopbackListener(patience: patience)
      var signIn = LoopbackSignIn(listener: listener, time: time)
      signIn.timeout = timeout
      let visit = { @Sendable (address: HTTPURL) in
        do {
          let state = String(address.query?.dropFirst("state=".count) ?? "")
          let base = try HTTPURL(address.origin.description + address.path)
          try await browse(base, state, transport)
        } catch {
          // The sign-in would wait for an answer that nobody sends.
          await listener.close()
          throw error
        }
      }
      let task = Mutexed<Task<Void, any Error>?>(nil)
      let answer: RedirectAnswer
      do {
        (answer, _) = try await signIn.run(
          .query,
          address: { start throws(TokenError) in
            start.redirectURI.adding([("state", start.state)])
          },
          open: { address in task.withLock { $0 = Task { try await visit(address) } } })
      } catch {
        // What went wrong in the browser is the cause.
        try await task.current?.value
        throw error
      }
      try await task.current?.value
      await transport.shutdown()
      return answer
    }

    @Test("Each sign-in has a port and a state of its own, on 127.0.0.1 alone")
    func ports() async throws {
      let first = LoopbackListener()
      let second = LoopbackListener()
      let (one, two) = (try await first.open(), try await second.open())
      #expect(one.origin.host == "127.0.0.1")
      #expect(one.origin.port != two.origin.port)
      await first.close()
      await second.close()
      await expect(throws: TokenError(.transportCancelled)) { try await first.next() }
    }

    @Test("Other requests change nothing; the one with the state ends the sign-in, once")
    func oneShot() async throws {
      let statuses = Mutexed<[Int]>([])
      let answer = try await Self.run(ManualTime()) { base, state, transport in
        func get(_ url: HTTPURL, _ method: HTTPMethod = .get) async throws -> Int {
          let status = try await transport.response(to: HTTPRequest(method, url)).status
          statuses.withLock { $0.append(status) }
          return status
        }
        // Another path, another method, no state, another state, another name for this machine.
        _ = try await get(base.at(path: "/favicon.ico"))
        _ = try await get(base.adding([("code", "evil"), ("state", state)]), .post)
        _ = try await get(base.adding([("code", "evil")]))
        _ = try await get(base.adding([("code", "evil"), ("state", "0123456789")]))
        _ = try await get(
          HTTPURL("http://localhost:\(base.origin.port)\(base.path)").adding([
            ("code", "evil"), ("state", state),
          ]))
        _ = try await get(base.adding([("code", "good"), ("state", state)]))
        // The sign-in is over: the port is closed.
        await expect(throws: TokenError.self) {
          try await transport.response(
            to: HTTPRequest(.get, base.adding([("code", "late"), ("state", state)])))
        }
      }
      guard case .code(let code) = answer else { throw Browser.Lost() }
      #expect(code.revealed == "good")
      #expect(statuses.current == [404, 405, 400, 400, 404, 200])
    }

    @Test("A flood of 300 half-sent posts holds 16 connections, and the real response is received")
    func flood() async throws {
      // None of the posts ends by its time limit while the response is awaited.
      let answer = try await Self.run(ManualTime(), patience: 86_400) { base, state, transport in
        let head =
          "POST \(base.path) HTTP/1.1\r\nHost: 127.0.0.1:\(base.origin.port)\r\n"
          + "Content-Length: 4194304\r\n\r\n"
        var posts: [RawConnection] = []
        for _ in 0..<300 {
          let post = try RawConnection(port: base.origin.port)
          post.send(Array(head.utf8) + [UInt8](repeating: 0x61, count: 30_000))
          posts.append(post)
        }
        while posts.count(where: \.isOpen) > 16 { await Task.yield() }
        // None of them grows.
        for post in posts { post.send([UInt8](repeating: 0x61, count: 65_536)) }
        while posts.contains(where: \.isOpen) { await Task.yield() }
        for place in posts.indices.prefix(20) {
          posts[place] = try RawConnection(port: base.origin.port)
          posts[place].send(Array(head.utf8))
        }
        let good = base.adding([("code", "good"), ("state", state)])
        #expect(try await transport.response(to: HTTPRequest(.get, good)).status == 200)
        withExtendedLifetime(posts) {}
      }
      guard case .code(let code) = answer else { throw Browser.Lost() }
      #expect(code.revealed == "good")
    }

    @Test("A request of more than 64 KiB is not read to its end")
    func large() async throws {
      let answer = try await Self.run(ManualTime()) { base, state, transport in
        func post(_ count: Int) async throws -> Int {
          let body = [UInt8](repeating: 0x61, count: count)
          return try await transport.response(to: HTTPRequest(.post, base, body: body)).status
        }
        #expect(try await post(60_000) == 405)
        await expect(throws: TokenError(.transportUnreachable)) { try await post(70_000) }
        _ = try await transport.response(
          to: HTTPRequest(.get, base.adding([("code", "good"), ("state", state)])))
      }
      guard case .code = answer else { throw Browser.Lost() }
    }

    @Test("A denied access ends the sign-in too")
    func denied() async throws {
      let answer = try await Self.run(ManualTime()) { base, state, transport in
        _ = try await transport.response(
          to: HTTPRequest(.get, base.adding([("error", "access_denied"), ("state", state)])))
      }
      guard case .cancelled = answer else { throw Browser.Lost() }
    }

    @Test("Without a response the sign-in times out, and the port is free again")
    func timeout() async throws {
      let time = ManualTime()
      let port = Mutexed<HTTPURL?>(nil)
      let (wasOpened, opened) = AsyncStream<Void>.makeStream()
      await expect(throws: TokenError(.clientTimeout)) {
        try await Self.run(LeapingTime(clock: time), timeout: 120) { base, _, _ in
          port.withLock { $0 = base }
          opened.yield()
        }
      }
      // The browser's task may run after the end.
      for await _ in wasOpened { break }
      let base = try #require(port.current)
      let transport = try AsyncHTTPClientTransport()
      await expect(throws: TokenError(.transportNoConnection)) {
        try await transport.response(to: HTTPRequest(.get, base))
      }
      await transport.shutdown()
    }

    @Test("Cancelling the wait frees the port")
    func cancelled() async throws {
      let port = Mutexed<HTTPURL?>(nil)
      let (opened, open) = AsyncStream<Void>.makeStream()
      let task = Task {
        try await Self.run(ManualTime()) { base, _, _ in
          port.withLock { $0 = base }
          open.yield()
        }
      }
      for await _ in opened { break }
      task.cancel()
      await expect(throws: TokenError(.transportCancelled)) { try await task.value }
      let base = try #require(port.current)
      let transport = try AsyncHTTPClientTransport()
      await expect(throws: TokenError(.transportNoConnection)) {
        try await transport.response(to: HTTPRequest(.get, base))
      }
      await transport.shutdown()
    }
  }
#endif
