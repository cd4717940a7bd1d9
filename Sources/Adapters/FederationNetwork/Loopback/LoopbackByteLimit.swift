#if Client
  import NIOCore

  /// Closes a connection that receives more than the maximum size of a request, head and body together.
  final class LoopbackByteLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// 64 KiB, which is enough for a token in a form.
    static let most = 64 << 10

    private var count = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      count += unwrapInboundIn(data).readableBytes
      guard count <= Self.most else { return context.close(promise: nil) }
      context.fireChannelRead(data)
    }
  }
#endif
