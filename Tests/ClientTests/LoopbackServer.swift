#if Client
  import Foundation
  import NIOCore
  import NIOPosix
  import NIOSSL
  import Synchronization
  import TestSupport

  /// A server on 127.0.0.1 that writes the given octets, well formed or not.
  final class LoopbackServer: Sendable {
    /// What is written on a connection after a request.
    enum Reply: Sendable {
      /// These octets, then the end of the connection.
      case octets([UInt8])
      /// These octets, then one more every few milliseconds, without an end.
      case drip([UInt8])
      /// These octets, then so many more, as fast as they are read.
      case flood([UInt8], count: Int)
      /// Nothing, and the connection stays open.
      case silence
    }

    private struct State {
      var reply = Reply.octets([])
      var requests: [String] = []
      var sent = 0
      var connections = 0
      var listener: (any Channel)?
    }

    var port: Int { reserved.number }
    /// Reserves the port while the server does not listen.
    private let reserved: ReservedPort
    private let tls: NIOSSLContext?
    private let state = Mutex(State())

    /// Reserves a port, and does not listen before ``start()``.
    ///
    /// - Parameter certificate: The key pair to speak TLS with; nil for none.
    init(certificate name: String? = nil) throws {
      tls = try name.map { name in
        let certificate = try NIOSSLCertificate.fromPEMBytes(TestVector.bytes("keys/\(name).crt"))
        let key = try NIOSSLPrivateKey(bytes: TestVector.bytes("keys/\(name).key"), format: .pem)
        return try NIOSSLContext(
          configuration: .makeServerConfiguration(
            certificateChain: certificate.map { .certificate($0) }, privateKey: .privateKey(key)))
      }
      reserved = try ReservedPort()
    }

    /// The requests so far, with their bodies.
    var requests: [String] { state.withLock { $0.requests } }
    /// Connections that are open.
    var connections: Int { state.withLock { $0.connections } }
    /// The number of flood octets passed to the system.
    var sent: Int { state.withLock { $0.sent } }

    func reply(_ reply: Reply) { state.withLock { $0.reply = reply } }

    func start() async throws {
      guard state.withLock({ $0.listener == nil }) else { return }
      let channel = try await Self.bootstrap { [tls] channel in
        if let tls {
          try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
        }
        try channel.pipeline.syncOperations.addHandler(LoopbackConnection(self))
      }.bind(host: "127.0.0.1", port: port).get()
      state.withLock { $0.listener = channel }
    }

    func stop() async throws {
      let listener = state.withLock { state in
        defer { state.listener = nil }
        return state.listener
      }
      try await listener?.close().get()
    }

    func note(request: String) -> Reply {
      state.withLock { state in
        state.requests.append(request)
        return state.reply
      }
    }

    func note(connections change: Int) { state.withLock { $0.connections += change } }

    func note(sent count: Int) { state.withLock { $0.sent += count } }

    private static func bootstrap(
      _ initialize: @escaping @Sendable (any Channel) throws -> Void
    ) -> ServerBootstrap {
      ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try initialize(channel) }
        }
    }
  }

  /// One connection: reads a request's head, writes the reply.
  private final class LoopbackConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: LoopbackServer
    private var head = ""
    private var hasReplied = false

    init(_ server: LoopbackServer) { self.server = server }

    func channelActive(context: ChannelHandlerContext) { server.note(connections: 1) }

    func channelInactive(context: ChannelHandlerContext) { server.note(connections: -1) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !hasReplied else { return }
      head += String(buffer: unwrapInboundIn(data))
      guard isComplete else { return }
      hasReplied = true
      let server = server
      let channel = context.channel
      switch server.note(request: head) {
      case .octets(let octets):
        channel.writeAndFlush(ByteBuffer(bytes: octets)).whenComplete { _ in
          channel.close(promise: nil)
        }
      case .drip(let octets):
        channel.writeAndFlush(ByteBuffer(bytes: octets), promise: nil)
        channel.eventLoop.scheduleRepeatedTask(
          initialDelay: .milliseconds(5), delay: .milliseconds(5)
        ) { task in
          guard channel.isActive else { return task.cancel() }
          channel.writeAndFlush(ByteBuffer(string: " "), promise: nil)
        }
      case .flood(let octets, let count):
        channel.writeAndFlush(ByteBuffer(bytes: octets), promise: nil)
        Self.flood(channel, count, server)
      case .silence: break
      }
    }

    /// Whether the head is complete, and the body as long as declared.
    private var isComplete: Bool {
      guard let end = head.range(of: "\r\n\r\n") else { return false }
      let fields = head[..<end.lowerBound].split(separator: "\r\n")
      let length = fields.lazy.compactMap { field in
        field.hasPrefix("Content-Length: ") || field.hasPrefix("content-length: ")
          ? Int(field.dropFirst(16)) : nil
      }.first
      return head[end.upperBound...].utf8.count >= length ?? 0
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    private static func flood(_ channel: any Channel, _ count: Int, _ server: LoopbackServer) {
      guard count > 0 else { return channel.close(promise: nil) }
      let size = min(count, 65_536)
      let piece = ByteBuffer(repeating: UInt8(ascii: "a"), count: size)
      channel.writeAndFlush(piece).whenSuccess {
        server.note(sent: size)
        flood(channel, count - size, server)
      }
    }
  }
#endif
