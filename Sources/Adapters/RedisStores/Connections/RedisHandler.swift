#if Redis
  import NIOCore

  /// Sends commands one behind the other and gives the replies back in their order. It lives on the loop of its
  /// connection, which ends with the first reply that is wrong or late: what comes behind it could belong to anything.
  final class RedisHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private struct Waiting {
      let count: Int
      var replies: [RESPReply] = []
      let deadline: NIODeadline
      let promise: EventLoopPromise<[RESPReply]>
    }

    private let timeout: TimeAmount
    private var reader = RESPReader()
    private var waiting = CircularBuffer<Waiting>()
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?
    private var failure: TokenError?
    private var isEnding = false

    init(timeout: TimeAmount) { self.timeout = timeout }

    func send(_ commands: [RESPCommand], _ promise: EventLoopPromise<[RESPReply]>) {
      guard failure == nil, let context else {
        return promise.fail(failure ?? TokenError(.storeUnavailable, found: "no connection"))
      }
      guard !commands.isEmpty else { return promise.succeed([]) }
      var buffer = context.channel.allocator.buffer(capacity: 512)
      for command in commands { buffer.writeBytes(command.octets) }
      waiting.append(
        Waiting(count: commands.count, deadline: .now() + timeout, promise: promise))
      context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
      if timer == nil { watch(context) }
    }

    /// Ends the connection with the last reply that is owed.
    func finish() {
      isEnding = true
      if waiting.isEmpty { context?.close(promise: nil) }
    }

    /// Looks at the oldest command when its time is up: there is one timer for all.
    private func watch(_ context: ChannelHandlerContext) {
      timer = nil
      guard let first = waiting.first else { return }
      guard first.deadline > .now() else {
        return fail(
          TokenError(
            .storeTimeout, expected: "a reply within \(timeout.nanoseconds / 1_000_000) ms"),
          context)
      }
      let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      timer = context.eventLoop.scheduleTask(deadline: first.deadline) {
        handler.value.0.watch(handler.value.1)
      }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
      fail(TokenError(.storeUnavailable, found: "the connection ended"), context)
      self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      do throws(TokenError) {
        for reply in try reader.consume(unwrapInboundIn(data).readableBytesView) {
          guard !waiting.isEmpty else {
            throw TokenError(.storeProtocol, expected: "no reply without a command")
          }
          waiting[waiting.startIndex].replies.append(reply)
          guard let first = waiting.first, first.replies.count == first.count else { continue }
          waiting.removeFirst()
          first.promise.succeed(first.replies)
        }
        if isEnding, waiting.isEmpty { context.close(promise: nil) }
      } catch {
        fail(error, context)
      }
    }

    func channelInactive(context: ChannelHandlerContext) {
      fail(TokenError(.storeUnavailable, found: "the connection ended"), context)
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      fail(ConnectionFailure.error(error), context)
    }

    private func fail(_ error: TokenError, _ context: ChannelHandlerContext) {
      guard failure == nil else { return }
      failure = error
      timer?.cancel()
      let left = waiting
      waiting.removeAll()
      for waiting in left { waiting.promise.fail(error) }
      context.close(promise: nil)
    }
  }
#endif
