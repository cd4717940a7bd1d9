#if Client
  import NIOCore

  /// Ends a connection on which more is sent than a request may have, head and body together.
  final class LoopbackByteLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// 64 KiB: a token in a form, and some.
    static let most = 64 << 10

    private var count = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      count += unwrapInboundIn(data).readableBytes
      guard count <= Self.most else { return context.close(promise: nil) }
      context.fireChannelRead(data)
    }
  }
#endif
