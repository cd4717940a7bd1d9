#if Server
  package import NIOCore
  import NIOHTTP1

  /// Puts a ``ConnectionGuard`` where it sees requests before anything else does: behind the decoder.
  package final class GuardInstaller: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = NIOAny

    private let connections: Connections
    private let times: WaitingTimes
    private let bodyLimit: Int

    package init(_ connections: Connections, _ times: WaitingTimes, bodyLimit: Int) {
      self.connections = connections
      self.times = times
      self.bodyLimit = bodyLimit
    }

    package func handlerAdded(context: ChannelHandlerContext) {
      let now = context.eventLoop.now
      let guardian = ConnectionGuard(
        connections, connections.add(context.channel, at: now), times, bodyLimit, now)
      let pipeline = context.pipeline.syncOperations
      do {
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(guardian, position: .after(decoder))
        // Before TLS, whose handshake is a part of the first header.
        try pipeline.addHandler(FirstOctets(guardian), position: .first)
      } catch {
        context.close(promise: nil)
      }
    }
  }

  /// Tells a guard that bytes came, and drops those behind the last request of the connection.
  private final class FirstOctets: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let guardian: ConnectionGuard

    init(_ guardian: ConnectionGuard) { self.guardian = guardian }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      // The decoder would keep them in memory, without an end.
      guard !guardian.isDeaf else { return }
      guardian.octetsCame()
      context.fireChannelRead(data)
    }
  }

  /// Ends a connection whose peer lets it wait too long, or whose next request could not be read; says `100 Continue` to
  /// a client that asks before it sends a body (RFC 9110, 10.1.1); and refuses a request that does not name one host.
  final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let connections: Connections
    private let connection: Connections.Connection
    private let bodyLimit: Int
    private var clock: ConnectionClock
    private var timer: Scheduled<Void>?
    private var due = NIODeadline.distantFuture
    private var context: ChannelHandlerContext?
    /// When octets came last: what they hold came then too.
    private var now: NIODeadline
    /// Whether a head of an answer is out, and its end is not.
    private var isWriting = false
    /// Whether a flush waits for the end of the loop's turn.
    private var isFlushing = false
    /// Answers that are out and whose peer may not have taken them.
    private var ended = 0
    /// Requests whose answer is not out.
    private var unanswered = 0
    /// Whether the connection ends with the answer to the request that came last.
    private var isLast = false
    /// Whether that request is complete: what follows it is dropped.
    private(set) var isDeaf = false

    init(
      _ connections: Connections, _ connection: Connections.Connection, _ times: WaitingTimes,
      _ bodyLimit: Int, _ now: NIODeadline
    ) {
      self.connections = connections
      self.connection = connection
      self.bodyLimit = bodyLimit
      self.now = now
      clock = ConnectionClock(times, at: now)
    }

    func handlerAdded(context: ChannelHandlerContext) {
      self.context = context
      schedule(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
      timer?.cancel()
      timer = nil
      self.context = nil
      connections.remove(connection)
    }

    func octetsCame() {
      guard let context else { return }
      now = context.eventLoop.now
      guard clock.phase == .idle else { return }
      clock.octetsCame(at: now)
      note()
      // The decoder may have nothing to hand on yet.
      schedule(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !isDeaf else { return }
      switch unwrapInboundIn(data) {
      case .head(let received):
        let head = RequestHead(received)
        clock.headCame(at: now)
        note()
        unanswered += 1
        isLast = head.isLastToBeRead
        guard head.namesOneHost else { return refuse(context, HTTPParserError.unknown) }
        if head.expectsContinue(bodyLimit: bodyLimit) {
          context.writeAndFlush(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))),
            promise: nil)
        }
      case .body(let octets): connections.hold(octets.readableBytes, by: connection)
      case .end:
        clock.requestEnded(at: now)
        note()
        isDeaf = isLast
      }
      schedule(context)
      context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      guard error is HTTPParserError, !isDeaf else { return context.fireErrorCaught(error) }
      // In the middle of a request its answer is that of the error.
      if clock.phase != .body {
        clock.headCame(at: now)
        unanswered += 1
      }
      refuse(context, error)
    }

    /// Has the server answer 400 behind the answers to earlier requests, and reads nothing more.
    private func refuse(_ context: ChannelHandlerContext, _ error: any Error) {
      isLast = true
      isDeaf = true
      clock.requestEnded(at: now)
      note()
      schedule(context)
      context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      var data = data
      switch unwrapOutboundIn(data) {
      case .head(var head):
        isWriting = !head.status.isInformational
        if isWriting, isLast, unanswered == 1 {
          head.headers.replaceOrAdd(name: "Connection", value: "close")
          data = wrapOutboundOut(.head(head))
        }
      case .body: break
      case .end:
        isWriting = false
        ended += 1
        unanswered = max(0, unanswered - 1)
      }
      context.write(data, promise: promise)
    }

    /// At the end of the loop's turn, after the other requests that came with this one are answered: a proxy that asks
    /// many questions at once is woken once for all answers, and not for each.
    func flush(context: ChannelHandlerContext) {
      guard !isFlushing else { return }
      isFlushing = true
      context.eventLoop.assumeIsolated().execute { [self] in
        if let context = self.context { flushHeld(context) }
      }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
      flushHeld(context)
      context.close(mode: mode, promise: promise)
    }

    private func flushHeld(_ context: ChannelHandlerContext) {
      guard isFlushing else { return }
      isFlushing = false
      context.flush()
      answered(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      answered(context)
      context.fireChannelWritabilityChanged()
    }

    /// The answers that are out count as taken as soon as more may be written: what remains of them is little.
    private func answered(_ context: ChannelHandlerContext) {
      guard ended > 0, context.channel.isWritable else { return }
      let now = context.eventLoop.now
      for _ in 0..<ended { clock.answered(at: now) }
      ended = 0
      connections.release(connection)
      note()
      guard isLast, unanswered == 0 else { return }
      clock.leave(at: now)
      schedule(context, anew: true)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if event is ChannelShouldQuiesceEvent {
        clock.end(at: context.eventLoop.now)
        schedule(context, anew: true)
      }
      context.fireUserInboundEventTriggered(event)
    }

    private func note() { connection.enter(clock.phase, at: clock.since) }

    // MARK: The deadline

    /// One timer for a connection: it looks again when it is due.
    private func schedule(_ context: ChannelHandlerContext, anew: Bool = false) {
      if anew || (timer != nil && clock.deadline < due) {
        timer?.cancel()
      } else if timer != nil {
        return
      }
      due = clock.deadline
      let loop = context.eventLoop
      timer = loop.assumeIsolated().scheduleTask(deadline: due) { [self] in
        timer = nil
        guard clock.deadline <= loop.now else { return schedule(context) }
        giveUp(context)
      }
    }

    private func giveUp(_ context: ChannelHandlerContext) {
      // A body may still come after the answer, such as 413, is out.
      let isRequest = clock.phase == .header || clock.phase == .body && unanswered > 0
      if isRequest, !isWriting {
        var head = HTTPResponseHead(version: .http1_1, status: .requestTimeout)
        head.headers.add(name: "Connection", value: "close")
        head.headers.add(name: "Content-Length", value: "0")
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      }
      context.close(promise: nil)
    }
  }

  extension HTTPResponseStatus {
    fileprivate var isInformational: Bool { (100..<200).contains(code) }
  }
#endif
