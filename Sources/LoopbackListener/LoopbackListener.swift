#if Client
  public import FederationClient
  public import HTTPExchange
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  public import TokenErrors

  /// Waits on 127.0.0.1 for the browser that comes back from a sign-in.
  ///
  /// It listens on a port that the system chooses, on no other address than 127.0.0.1, and hands on one
  /// request after the other. Each connection carries one request and is closed after its answer.
  ///
  /// Any program on this machine can connect. There are at most 16 connections, the oldest unfinished one
  /// giving way to a new one; a request has 64 KiB and 10 seconds to arrive in.
  public actor LoopbackListener: RedirectListener {
    typealias Incoming = (message: IncomingMessage, host: String?)

    private var listener: (any Channel)?
    private var waiting: [LoopbackConnection.Request] = []
    private var reader: CheckedContinuation<Result<Incoming, TokenError>, Never>?
    private var current: LoopbackConnection.Request?
    private var isClosed = false
    private let connections = LoopbackConnections()

    /// A listener, not yet open.
    public init() {}

    /// - Throws: `transport.unreachable` when there is no port to be had.
    public func open() async throws(TokenError) -> HTTPURL {
      let connections = connections
      let receive: @Sendable (LoopbackConnection.Request) -> Void = { [weak self] request in
        guard let self else { return request.drop() }
        Task { await self.receive(request) }
      }
      do {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
          .serverChannelOption(ChannelOptions.backlog, value: 16)
          .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
              try channel.pipeline.syncOperations.addHandler(LoopbackByteLimit())
              try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                withPipeliningAssistance: false)
              try channel.pipeline.syncOperations.addHandler(
                LoopbackConnection(connections, receive))
            }
          }
          // The usual allocator grows to 64 KiB a connection.
          .childChannelOption(
            ChannelOptions.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096)
          ).bind(host: "127.0.0.1", port: 0).get()
        guard let port = channel.localAddress?.port else {
          throw TokenError(.transportUnreachable, node: "127.0.0.1")
        }
        listener = channel
        isClosed = false
        return try HTTPURL("http://127.0.0.1:\(port)/")
      } catch let error as TokenError {
        throw error
      } catch {
        throw TokenError(.transportUnreachable, node: "127.0.0.1", found: "\(type(of: error))")
      }
    }

    /// The next request and its Host field.
    /// // - Throws: `transport.cancelled`, `transport.unreachable`.
    public func next() async throws(TokenError) -> (message: IncomingMessage, host: String?) {
      current?.drop()
      current = nil
      guard !isClosed else { throw TokenError(.transportCancelled) }
      if !waiting.isEmpty {
        let request = waiting.removeFirst()
        current = request
        return (request.message, request.host)
      }
      return try await withCheckedContinuation { reader = $0 }.get()
    }

    /// Sends the response to the last request and closes its connection.
    public func answer(_ response: HTTPResponse) async {
      guard let request = current else { return }
      current = nil
      await request.answer(response)
    }

    /// Closes the port and every connection.
    public func close() async {
      isClosed = true
      reader?.resume(returning: .failure(TokenError(.transportCancelled)))
      reader = nil
      for request in waiting { request.drop() }
      waiting = []
      current?.drop()
      current = nil
      let channel = listener
      listener = nil
      try? await channel?.close().get()
      connections.close()
    }

    private func receive(_ request: LoopbackConnection.Request) {
      guard !isClosed else { return request.drop() }
      guard let reader else {
        // As many as there are connections.
        return waiting.count < LoopbackConnections.most ? waiting.append(request) : request.drop()
      }
      self.reader = nil
      current = request
      reader.resume(returning: .success((request.message, request.host)))
    }
  }
#endif
