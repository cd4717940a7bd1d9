public import HTTPExchange
public import TokenBasics

/// Signs a person in through the browser, for a program without pages of its own (RFC 8252, 7.3): a
/// listener on loopback, one answer, a deadline.
public struct LoopbackSignIn: Sendable {
  /// The values that the address to open must contain.
  public struct Start: Sendable {
    /// The address to which the browser must return.
    public let redirectURI: HTTPURL
    /// Returned unchanged, as `state` or `wctx`.
    public let state: String
    /// For the code flow only: the nonce that the token must contain. Pass it to
    /// `AuthorizationRequest.nonce` and to the grant, which then rejects a token without it; leave it out
    /// if the issuer writes no `nonce`.
    ///
    /// Nil for ``LoopbackExchange/Delivery/form``: the passive profile of WS-Federation has no parameter
    /// for a nonce, and a Simple Web Token no field for one. There only `wctx` binds the answer, and the
    /// listener compares it before the answer is parsed.
    public let nonce: String?
  }

  private let listener: any RedirectListener
  private let time: any TimeSource
  private let random: RandomSource
  /// Seconds until the sign-in fails with `client.timeout`; 300 by default.
  public var timeout: Int64 = 300
  /// The path to which the browser returns.
  public var path = "/signin"
  /// Called with `client.state` for each answer that belongs to another sign-in; the wait continues.
  public var foreign: @Sendable (TokenError) -> Void = { _ in }

  /// A sign-in that uses `listener` and takes the time from `time`.
  public init(
    listener: any RedirectListener, time: any TimeSource, random: RandomSource = RandomSource()
  ) {
    self.listener = listener
    self.time = time
    self.random = random
  }

  /// Opens the browser, waits for it to return, and shows the result of the sign-in on its page.
  ///
  /// A request that belongs to another sign-in gets an error page, is passed to ``foreign`` and does not end
  /// the wait.
  ///
  /// - Parameters:
  ///   - delivery: How the browser delivers the answer: in the query or in a form.
  ///   - address: Returns the address where the person signs in.
  ///   - open: Shows that address to the person.
  ///   - judge: Verifies the answer. The page reports success when it returns, and the error, with status 400,
  ///     when it throws: `session.cancelled` if the person denied access.
  /// - Throws: `client.timeout`, `transport.cancelled`, errors of ``RedirectAnswer`` and of the listener, and
  ///   errors of the closures, unchanged.
  public func run<Outcome: Sendable>(
    _ delivery: LoopbackExchange.Delivery,
    address: @Sendable (Start) async throws -> HTTPURL,
    open: @Sendable (HTTPURL) async throws -> Void,
    judge: (RedirectAnswer, Start) async throws -> Outcome
  ) async throws -> Outcome {
    try await run(delivery, success: SignInPage.done, address, open, judge)
  }

  /// Opens the browser and waits for it to return. The page reports only that the answer has arrived;
  /// ``run(_:address:open:judge:)`` shows the result.
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

  /// The outcome of a sign-in; nil when the person cancelled it (`session.cancelled`).
  static func unlessCancelled<Outcome>(
    _ signIn: () async throws -> Outcome
  ) async throws -> Outcome? {
    do {
      return try await signIn()
    } catch let error as TokenError {
      guard error.code == .sessionCancelled else { throw error }
      return nil
    }
  }

  private enum End: Sendable {
    /// The browser waits for its page.
    case answered(Result<RedirectAnswer, TokenError>)
    case nothing(TokenError)
  }

  /// Returns at the first of: an answer, the deadline, cancellation.
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
        // The listener may be waiting for a connection; closing it ends the wait.
        await listener.close()
      }
      return first
    }
  }
}
