#if Client
  import FederationClient
  import HTTPExchange
  import NIOCore
  import NIOHTTP1

  /// One connection: one request, one answer, the end.
  final class LoopbackConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    /// A request that waits for its answer.
    struct Request: Sendable {
      let message: IncomingMessage
      let host: String?
      let channel: any Channel

      /// Closes the connection without an answer.
      func drop() { channel.close(promise: nil) }

      /// Answers and closes.
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

    private static let limit = 4 << 20

    private let receive: @Sendable (Request) -> Void
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ receive: @escaping @Sendable (Request) -> Void) { self.receive = receive }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        // One request a connection: what follows on it is not read.
        guard self.head == nil else { return context.close(promise: nil) }
        self.head = head
      case .body(let part):
        guard body.count + part.readableBytes <= Self.limit else {
          return context.close(promise: nil)
        }
        body += part.readableBytesView
      case .end:
        guard let head else { return context.close(promise: nil) }
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
      // A host that is named twice is none.
      let hosts = head.headers["Host"]
      return Request(
        message: IncomingMessage(
          method: head.method.rawValue, path: target.first.map(String.init) ?? "/",
          query: target.count == 2 ? String(target[1]) : nil,
          contentType: head.headers.first(name: "Content-Type"), body: body),
        host: hosts.count == 1 ? hosts[0] : nil, channel: channel)
    }
  }
#endif
