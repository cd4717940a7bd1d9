#if Server
  import GateService
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOSSL

  /// Sends the doctor's requests to the proxy, a connection each, octet by octet as they are.
  struct ProxyConnection: WiringProbe {
    /// The proxy.
    let address: HTTPURL
    /// The `Host` of the requests, which TLS asks for too.
    let host: HTTPOrigin
    /// Further certificates of TLS authorities in PEM; nil for the system's alone.
    let authorities: [UInt8]?

    func answer(to request: WiringRequest) async throws(TokenError) -> HTTPResponse {
      do {
        return try await exchange(request)
      } catch let error as TokenError {
        throw error
      } catch is NIOSSLError {
        throw TokenError(.transportUntrustedServer, node: address.origin.description)
      } catch {
        throw TokenError(
          .transportUnreachable, node: address.origin.description,
          found: TokenError.excerpt("\(error)"))
      }
    }

    private func exchange(_ request: WiringRequest) async throws -> HTTPResponse {
      let group = MultiThreadedEventLoopGroup.singleton
      let promise = group.next().makePromise(of: HTTPResponse.self)
      let tls = try address.origin.scheme == "https" ? NIOSSLContext(configuration: tls()) : nil
      let place = address.origin.place
      // A name alone is asked for (RFC 6066, 3).
      let isAddress = IPAddress(host.place.host[...]) != nil
      let name = host.isLoopback || isAddress ? nil : host.host
      let head = head(request)
      do {
        let channel = try await ClientBootstrap(group: group)
          .connectTimeout(.seconds(10))
          .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
              let pipeline = channel.pipeline.syncOperations
              if let tls {
                try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
              }
              // Targets are sent that no client should send.
              try pipeline.addHTTPClientHandlers(enableOutboundHeaderValidation: false)
              try pipeline.addHandler(AnswerReader(head, promise))
            }
          }
          .connect(host: place.host, port: place.port).get()
        channel.eventLoop.scheduleTask(in: .seconds(30)) {
          promise.fail(TokenError(.transportTimeout))
        }
        let response = try await promise.futureResult.get()
        channel.close(promise: nil)
        return response
      } catch {
        promise.fail(error)
        throw error
      }
    }

    private func head(_ request: WiringRequest) -> HTTPRequestHead {
      var head = HTTPRequestHead(
        version: .http1_1, method: HTTPMethod(rawValue: request.method), uri: request.target)
      head.headers.add(name: "Host", value: request.host ?? host.authority)
      if request.fields.values("Connection").isEmpty {
        head.headers.add(name: "Connection", value: "close")
      }
      for (name, value) in request.fields.list { head.headers.add(name: name, value: value) }
      return head
    }

    private func tls() throws -> TLSConfiguration {
      var configuration = TLSConfiguration.makeClientConfiguration()
      if let authorities {
        configuration.additionalTrustRoots = [
          .certificates(try NIOSSLCertificate.fromPEMBytes(authorities))
        ]
      }
      if host.isLoopback { configuration.certificateVerification = .noHostnameVerification }
      return configuration
    }
  }

  /// Writes one request and collects its answer, of which a mebibyte is kept.
  private final class AnswerReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let request: HTTPRequestHead
    private let promise: EventLoopPromise<HTTPResponse>
    private var response: HTTPResponse?

    init(_ request: HTTPRequestHead, _ promise: EventLoopPromise<HTTPResponse>) {
      self.request = request
      self.promise = promise
    }

    func channelActive(context: ChannelHandlerContext) {
      context.write(wrapOutboundOut(.head(request)), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        var fields = HTTPFields()
        // What is no field for us is of no interest here.
        for (name, value) in head.headers { try? fields.append(name, value) }
        response = HTTPResponse(status: Int(head.status.code), fields: fields)
      case .body(let part):
        if let size = response?.body.count, size < 1 << 20 {
          response?.body += part.readableBytesView.prefix((1 << 20) - size)
        }
      case .end:
        if let response { promise.succeed(response) }
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      promise.fail(error)
      context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
      promise.fail(TokenError(.transportUnreachable, found: "the connection was closed"))
      context.fireChannelInactive()
    }
  }
#endif
