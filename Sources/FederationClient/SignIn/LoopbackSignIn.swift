public import HTTPExchange
public import Instants
public import TokenErrors

/// Signs a person in through the browser, for a program without pages of its own (RFC 8252, 7.3): a
/// listener on loopback, one answer, a deadline.
public struct LoopbackSignIn: Sendable {
  /// What the address to open has to carry.
  public struct Start: Sendable {
    /// Where the browser is to come back to.
    public let redirectURI: HTTPURL
    /// Comes back unchanged, as `state` or `wctx`.
    public let state: String
    /// Of the code flow alone: what the token must answer. Put it into
    /// ``AuthorizationRequest/nonce`` and name it in the grant, whose token is then refused without it;
    /// leave it out where the issuer writes no `nonce`.
    ///
    /// Nil for ``LoopbackExchange/Delivery/form``: the passive profile of WS-Federation has no parameter
    /// that reaches the token, and a Simple Web Token no place for one. There `wctx` alone binds the
    /// answer, and the listener compares it before anything of the answer is read.
    public let nonce: String?
  }

  private let listener: any RedirectListener
  private let time: any TimeSource
  private let random: RandomOctets
  /// Seconds until it is given up: 300.
  public var timeout: Int64 = 300
  /// The path at which the browser comes back.
  public var path = "/signin"
  /// Hears of each answer that belongs to another sign-in, with `client.state`: the wait goes on.
  public var foreign: @Sendable (TokenError) -> Void = { _ in }

  /// A sign-in over `listener`.
  public init(
    listener: any RedirectListener, time: any TimeSource, random: RandomOctets = RandomOctets()
  ) {
    self.listener = listener
    self.time = time
    self.random = random
  }

  /// Opens the browser, waits for it to come back, and shows on its page what came of the sign-in.
  ///
  /// A request that belongs to another sign-in is told so on its page and through ``foreign``, and does not
  /// end the wait.
  /// - Parameters:
  ///   - address: Makes the address where the person signs in.
  ///   - open: Shows that address to the person.
  ///   - judge: Says what the answer is worth. The page says that the person is signed in when it
  ///     returns, and why not, with status 400, when it throws: `session.cancelled` where the person said
  ///     no.
  /// - Throws: `client.timeout`, `transport.cancelled`, what ``RedirectAnswer`` throws, what the listener throws,
  ///   and what the closures throw, as it is.
  public func run<Outcome: Sendable>(
    _ delivery: LoopbackExchange.Delivery,
    address: @Sendable (Start) async throws -> HTTPURL,
    open: @Sendable (HTTPURL) async throws -> Void,
    judge: (RedirectAnswer, Start) async throws -> Outcome
  ) async throws -> Outcome {
    try await run(delivery, success: SignInPage.done, address, open, judge)
  }

  /// Opens the browser and waits for it to come back. The page says no more than that the answer has
  /// arrived; ``run(_:address:open:judge:)`` shows what came of it.
  /// - Throws: as ``run(_:address:open:judge:)``.
  public func run(
    _ delivery: LoopbackExchange.Delivery,
    address: @Sendable (Start) async throws -> HTTPURL,
    open: @Sendable (HTTPURL) async throws -> Void
  ) async throws -> (answer: RedirectAnswer, start: Start) {
    try await run(delivery, success: SignInPage.arrived, address, open) { ($0, $1) }
  }

  private func run<Outcome>(
    _ delivery: LoopbackExchange.Delivery, success: HTTPResponse,
    _ address: @Sendable (Start) async throws -> HTTPURL,
    _ open: @Sendable (HTTPURL) async throws -> Void,
    _ judge: (RedirectAnswer, Start) async throws -> Outcome
  ) async throws -> Outcome {
    let base = try await listener.open()
    do {
      guard base.origin.isLoopback else {
        throw TokenError(.transportInsecureAddress, expected: "an address of this machine")
      }
      let start = Start(
        redirectURI: try base.at(path: path), state: random.hex(20),
        nonce: delivery == .query ? random.hex(20) : nil)
      try await open(try await address(start))
      switch await answer(to: start, delivery) {
      case .nothing(let error): throw error
      case .answered(let result):
        do {
          let outcome = try await judge(try result.get(), start)
          await listener.answer(success)
          await listener.close()
          return outcome
        } catch {
          await listener.answer(SignInPage.failed(error))
          throw error
        }
      }
    } catch {
      await listener.close()
      throw error
    }
  }

  private enum End: Sendable {
    /// The browser waits for its page.
    case answered(Result<RedirectAnswer, TokenError>)
    case nothing(TokenError)
  }

  /// Whichever comes first: an answer, the deadline, or the word that nobody waits any more.
  private func answer(
    to start: Start, _ delivery: LoopbackExchange.Delivery
  ) async -> End {
    let time = time
    let timeout = timeout
    let listener = listener
    let foreign = foreign
    let deadline = time.now.advanced(bySeconds: timeout)
    return await withTaskGroup(of: End.self) { group in
      group.addTask {
        var exchange = LoopbackExchange(
          address: start.redirectURI, state: start.state, delivery: delivery, deadline: deadline)
        do throws(TokenError) {
          while true {
            let (message, host) = try await listener.next()
            switch exchange.receive(message, host: host, at: time.now) {
            case .refuse(let page): await listener.answer(page)
            case .foreign(let page, let error):
              await listener.answer(page)
              foreign(error)
            case .finish(let result): return .answered(result)
            }
          }
        } catch {
          return .nothing(error)
        }
      }
      group.addTask {
        await time.wait(.seconds(timeout))
        return .nothing(TokenError(Task.isCancelled ? .transportCancelled : .clientTimeout))
      }
      let first = await group.next() ?? .nothing(TokenError(.clientTimeout))
      group.cancelAll()
      if case .nothing = first {
        // The listener may wait for a connection; closing it wakes it.
        await listener.close()
      }
      return first
    }
  }
}
