#if Client
  public import FederationClient
  public import HTTPExchange
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  public import TokenBasics

  /// Waits on 127.0.0.1 for the browser that returns from a sign-in.
  ///
  /// It listens on a port that the system chooses, on no other address than 127.0.0.1, and returns one
  /// request after the other. Each connection carries one request and is closed after the response.
  ///
  /// Any program on this machine can connect. There are at most 16 connections; a new one replaces the oldest
  /// without a complete request. A request may have 64 KiB and must arrive within 10 seconds.
  public actor LoopbackListener: RedirectListener {
    typealias Incoming = (message: WebRequest, host: String?)

    private var listener: (any Channel)?
    private var waiting: [LoopbackConnection.Request] = []
    private var reader: CheckedContinuation<Result<Incoming, TokenError>, Never>?
    private var current: LoopbackConnection.Request?
    private var isClosed = false
    private let connections = LoopbackConnections()

    private let patience: Int64

    /// A listener that is not yet open.
    public init() { self.init(patience: 10) }

    /// A listener whose clients have so many seconds for a request.
    package init(patience: Int64) { self.patience = patience }

    /// Starts to listen.
    /// - Returns: `http://127.0.0.1:PORT/`.
    /// - Throws: `transport.unreachable` if no port is available.
    public func open() async throws(TokenError) -> HTTPURL {
      let connections = connections
      let patience = patience
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
                LoopbackConnection(connections, patience: .seconds(patience), receive))
            }
          }
          // The default allocator grows to 64 KiB per connection.
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

    /// The next request and the value of its `Host` field; closes the previous one if it got no response.
    /// - Throws: `transport.cancelled` after ``close()``.
    public func next() async throws(TokenError) -> (message: WebRequest, host: String?) {
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

    /// Sends the response to the request that ``next()`` returned last, and closes its connection.
    public func answer(_ response: HTTPResponse) async {
      guard let request = current else { return }
      current = nil
      await request.answer(response)
    }

    /// Stops listening and closes all connections; a waiting ``next()`` throws `transport.cancelled`.
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
        // At most as many as there are connections.
        return waiting.count < LoopbackConnections.most ? waiting.append(request) : request.drop()
      }
      self.reader = nil
      current = request
      reader.resume(returning: .success((request.message, request.host)))
    }
  }
#endif
