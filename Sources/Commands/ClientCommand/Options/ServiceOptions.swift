#if Client
  import ArgumentParser
  import CommandSupport
  import Federation
  import FederationClient
  import FederationNetwork
  import HTTPExchange
  import LocalFiles
  import Logging
  import TokenBasics

  /// The Access Control Service and the relying party.
  struct ServiceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The namespace in Microsoft's former cloud.", valueName: "NAME"))
    var namespace: String?

    @Option(help: ArgumentHelp("The address of a service elsewhere.", valueName: "URL"))
    var server: String?

    @Option(
      help: ArgumentHelp(
        "The realm of the relying party, exactly as registered.", valueName: "REALM"))
    var realm: String

    @Option(
      help: ArgumentHelp(
        "The issuer in its tokens; default the server's origin with a slash.", valueName: "NAME"))
    var issuer: String?

    func validate() throws {
      guard (namespace == nil) != (server == nil) else {
        throw ValidationError("one of --namespace and --server is needed")
      }
      guard issuer == nil || server != nil else {
        throw ValidationError("--issuer needs --server")
      }
    }

    func service() throws(TokenError) -> AccessControlService {
      if let server {
        return try AccessControlService(base: try HTTPURL(server), realm: realm, issuer: issuer)
      }
      return try AccessControlService(namespace: namespace ?? "", realm: realm)
    }
  }

  /// The trust file with issuers and keys.
  struct TrustOption: ParsableArguments {
    @Option(
      help: ArgumentHelp("The trust file, as `claims` takes it.", valueName: "FILE"),
      completion: .file())
    var trust: String

    func load() throws -> Trust {
      let folder = Folder(folder: FileFolder(of: trust))
      let file = TrustFile(parsing: try InputFile.read(trust), files: folder)
      return try file.get()
    }

    /// The files that the trust file names.
    private struct Folder: FileSource {
      let folder: FileFolder

      func read(_ name: String) throws(TokenError) -> [UInt8] {
        do throws(CommandFailure) {
          return try InputFile.read(folder.located(name))
        } catch {
          throw TokenError(
            .trustFileReference, node: ShownPath.of(folder.located(name)), found: error.text)
        }
      }
    }
  }

  /// Options of the transport and the log.
  struct NetworkOptions: ParsableArguments {
    @Flag(help: "Log what the client does on standard error, without secrets.")
    var verbose = false

    @Option(
      help: ArgumentHelp("Trust only these certificates (PEM).", valueName: "FILE"),
      completion: .file())
    var certificates: String?

    func transport() throws -> AsyncHTTPClientTransport {
      var configuration = TransportConfiguration()
      if let certificates {
        configuration.trustRoots = .certificates(pem: try InputFile.read(certificates))
      }
      return try AsyncHTTPClientTransport(configuration)
    }

    var observer: any ActivityObserver {
      guard verbose else { return WaitingNotice() }
      return FederationTelemetry(
        logger: Logger(label: "claims-client") { label in
          var handler = StreamLogHandler.standardError(label: label)
          handler.logLevel = .debug
          return handler
        })
    }
  }

  /// Says on standard error why nothing seems to happen.
  struct WaitingNotice: ActivityObserver {
    func during<Value: Sendable>(
      _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
    ) async throws(TokenError) -> Value { try await body() }

    func happened(_ activity: Activity) {
      guard activity.isNamed("session.waiting") else { return }
      let seconds = activity["seconds"] ?? ""
      CommandMessages.own.note(
        "another process renews this session; if it was killed, that takes \(seconds) s"
      )
    }

    func measured(_ activity: Activity, value: Double) {}
  }
#endif
