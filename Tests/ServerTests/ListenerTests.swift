#if Server
  @testable import CommandServer
  import FederationNetwork
  import Foundation
  import HTTPExchange
  import HTTPTypes
  import Hummingbird
  import HummingbirdFederation
  import Logging
  import NIOCore
  import NIOPosix
  import SecurityKeys
  import Synchronization
  import TestSupport
  import Testing

  @Suite("Listeners")
  struct ListenerTests {
    private struct Silent: HTTPResponder {
      func respond(to request: Request, context: FederationContext) async throws -> Response {
        Response(status: .ok)
      }
    }

    private func listener(
      _ port: Int, host: String = "127.0.0.1", tls: TLSFiles? = nil
    ) throws -> Listener {
      var logger = Logger(label: "test")
      logger.logLevel = .critical
      return try Listener(
        Silent(), at: HostPort(host: host, port: port), tls: tls, connections: 8,
        logger: logger)
    }

    /// A port at which a channel of our own listens.
    private func taken() async throws -> (channel: any Channel, port: Int) {
      let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(host: "127.0.0.1", port: 0).get()
      return (channel, try #require(channel.localAddress?.port))
    }

    @Test("A port in use is one error with the address, also beside a listener that has its own")
    func inUse() async throws {
      let (channel, port) = try await taken()
      let (other, free) = try await taken()
      try await other.close()
      let error = await #expect(throws: TokenError.self) {
        try await Listener.run([listener(free), listener(port)], last: {})
      }
      #expect(error?.code == .listenInUse && error?.node == "127.0.0.1:\(port)")
      try await channel.close()
    }

    @Test("An address that is not of this machine is one error with the system's reason")
    func elsewhere() async throws {
      let error = await #expect(throws: TokenError.self) {
        try await Listener.run([listener(4_180, host: "192.0.2.1")], last: {})
      }
      #expect(error?.code == .listenRefused && error?.node == "192.0.2.1:4180")
    }

    @Test("A listener at a free port says that it is ready, and ends when it is cancelled")
    func ready() async throws {
      let (channel, port) = try await taken()
      try await channel.close()
      let (isReady, ready) = AsyncStream<Void>.makeStream()
      let run = Task { [listener = try listener(port)] in
        try await Listener.run([listener], ready: { ready.yield() }, last: {})
      }
      for await _ in isReady { break }
      run.cancel()
      try await run.value
    }

    /// Knows the connection of its request.
    private struct ConnectionContext: RequestContext {
      var coreContext: CoreRequestContextStorage
      let channel: any Channel

      init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
      }
    }

    /// Answers 200 on the thread of the connection, also behind a wait, and 500 elsewhere.
    private struct Threads: HTTPResponder {
      func respond(to request: Request, context: ConnectionContext) async throws -> Response {
        let loop = context.channel.eventLoop
        let isFirst = loop.inEventLoop
        await Task.yield()
        return Response(
          status: isFirst && loop.inEventLoop ? .ok : .internalServerError)
      }
    }

    @Test("A request is answered on the thread of its connection, also after it waited")
    func threads() async throws {
      let (channel, port) = try await taken()
      try await channel.close()
      let (isReady, ready) = AsyncStream<Void>.makeStream()
      let listener = try Listener(
        Threads(), at: HostPort(host: "127.0.0.1", port: port), connections: 8,
        logger: Logger(label: "test"))
      let run = Task {
        try await Listener.run([listener], ready: { ready.yield() }, last: {})
      }
      for await _ in isReady { break }
      let transport = try AsyncHTTPClientTransport()
      let response = try await transport.response(
        to: HTTPExchange.HTTPRequest(.get, HTTPURL("http://127.0.0.1:\(port)/")))
      #expect(response.status == 200)
      await transport.shutdown()
      run.cancel()
      try await run.value
    }

    @Test(
      "A key of TLS that is broken, of another certificate or absent is one error with its file")
    func tls() throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      func write(_ name: String, _ kind: String, _ der: [UInt8]) throws -> String {
        let path = folder.appending(path: name).path()
        let text =
          "-----BEGIN \(kind)-----\n"
          + Data(der).base64EncodedString(options: .lineLength64Characters)
          + "\n-----END \(kind)-----\n"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
      }
      let now = SystemTime().now
      let (key, other) = (
        try PrivateKey(generating: .rsa2048), try PrivateKey(generating: .rsa2048)
      )
      let certificate = try write(
        "tls.crt", "CERTIFICATE",
        Certificate(
          selfSigning: key, name: "localhost", notBefore: now, notAfter: now.advanced(bySeconds: 60)
        ).der)
      let good = try write("tls.key", "RSA PRIVATE KEY", key.exportedDER)
      _ = try TLSFiles(certificate: certificate, key: good).configuration()
      let bad = [
        try write("other.key", "RSA PRIVATE KEY", other.exportedDER),
        try write("broken.key", "RSA PRIVATE KEY", [1, 2, 3]),
        folder.appending(path: "absent.key").path(), certificate,
      ]
      for path in bad {
        let error = #expect(throws: TokenError.self) {
          try TLSFiles(certificate: certificate, key: path).configuration()
        }
        #expect(error?.code == .listenTLS && error?.node == path)
      }
      let error = #expect(throws: TokenError.self) {
        try TLSFiles(certificate: good, key: good).configuration()
      }
      #expect(error?.code == .listenTLS && error?.node == good)
    }

    @Test("What is not wanted in the log is not there")
    func wanted() {
      let lines = Mutex<[String]>([])
      let log = StandardErrorLog(
        write: { line in lines.withLock { $0.append(line) } }, where: { "\($0.name)" == "b" })
      log.happened(Activity("a", []))
      log.happened(Activity("b", []))
      #expect(lines.withLock { $0.map { $0.hasSuffix(" b") } } == [true])
    }

    @Test("A line of the log is one line, whatever an error repeats of a request")
    func log() {
      let lines = Mutex<[String]>([])
      let log = StandardErrorLog(write: { line in lines.withLock { $0.append(line) } })
      log.happened(
        Activity(
          "gate.refused",
          [("code", "gate.path"), ("path", "/a\n2026 gate.refused\u{2028}\u{202E}")]))
      let line = lines.withLock { $0.first } ?? ""
      #expect(
        line.hasSuffix(
          " gate.refused code=gate.path path=\"/a\\\\u{A}2026 gate.refused\\\\u{2028}\\\\u{202E}\"")
      )
    }

    @Test("What a library says is one line with its level, the command and what belongs to it")
    func serverLog() {
      let lines = Mutex<[String]>([])
      var logger = Logger(label: "acs") { label in
        ServerLog(label: label, write: { line in lines.withLock { $0.append(line) } })
      }
      logger[metadataKey: "hb.request.id"] = "1"
      logger.warning("away\n2026", metadata: ["port": "1", "host": "a"])
      logger.info("nothing to say")
      let line = lines.withLock { $0 }
      #expect(line.count == 1)
      #expect(
        line.first?.hasSuffix(
          " server.log level=warning command=acs message=\"away\\\\u{A}2026\" host=a port=1")
          == true)
    }
  }
#endif
