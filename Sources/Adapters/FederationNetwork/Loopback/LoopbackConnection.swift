#if Client
  import FederationClient
  import HTTPExchange
  import NIOCore
  import NIOHTTP1

  /// One connection, for one request and its response.
  final class LoopbackConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    /// A request that waits for its response.
    struct Request: Sendable {
      let message: WebRequest
      let host: String?
      let channel: any Channel

      /// Closes the connection without a response.
      func drop() { channel.close(promise: nil) }

      /// Sends the response and closes the connection.
      func answer(_ response: HTTPExchange.HTTPResponse) async {
        var headers = HTTPHeaders()
        for (name, value) in response.fields.list { headers.add(name: name, value: value) }
        headers.replaceOrAdd(name: "Content-Length", value: "\(response.body.count)")
        headers.replaceOrAdd(name: "Connection", value: "close")
        let head = HTTPResponseHead(
          version: .http1_1, status: HTTPResponseStatus(statusCode: response.status),
          headers: headers)
        let parts: [HTTPServerResponsePart] = [
          .head(head), .body(.byteBuffer(ByteBuffer(bytes: response.body))), .end(nil),
        ]
        for part in parts.dropLast() { channel.write(part, promise: nil) }
        try? await channel.writeAndFlush(parts[2]).get()
        try? await channel.close().get()
      }
    }

    private let connections: LoopbackConnections
    /// The time limit for receiving the whole request.
    private let patience: TimeAmount
    private let receive: @Sendable (Request) -> Void
    private var deadline: Scheduled<Void>?
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(
      _ connections: LoopbackConnections, patience: TimeAmount,
      _ receive: @escaping @Sendable (Request) -> Void
    ) {
      self.connections = connections
      self.patience = patience
      self.receive = receive
    }

    func channelActive(context: ChannelHandlerContext) {
      let channel = context.channel
      guard connections.admit(channel) else { return context.close(promise: nil) }
      deadline = context.eventLoop.scheduleTask(in: patience) {
        channel.close(promise: nil)
      }
      context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
      deadline?.cancel()
      connections.leave(context.channel)
      body = []
      context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        // One request per connection: anything after it is not read.
        guard self.head == nil else { return context.close(promise: nil) }
        self.head = head
      // Bounded by LoopbackByteLimit, the handler before this one.
      case .body(let part): body += part.readableBytesView
      case .end:
        guard let head, connections.complete(context.channel) else {
          return context.close(promise: nil)
        }
        deadline?.cancel()
        receive(Self.request(head, body, context.channel))
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    private static func request(
      _ head: HTTPRequestHead, _ body: [UInt8], _ channel: any Channel
    ) -> Request {
      let target = head.uri.split(
        separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      // More than one Host field counts as none.
      let hosts = head.headers["Host"]
      return Request(
        message: WebRequest(
          method: head.method.rawValue, path: target.first.map(String.init) ?? "/",
          query: target.count == 2 ? String(target[1]) : nil,
          contentType: head.headers.first(name: "Content-Type"), body: body),
        host: hosts.count == 1 ? hosts[0] : nil, channel: channel)
    }
  }

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
