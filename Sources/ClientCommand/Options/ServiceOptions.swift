#if Client
  import ArgumentParser
  import AsyncHTTPClientTransport
  import Federation
  import FederationClient
  import FederationTelemetry
  import HTTPExchange
  import Logging

  /// Which Access Control Service, and whom it may speak for.
  struct ServiceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The namespace in Microsoft's former cloud.", valueName: "NAME"))
    var namespace: String?

    @Option(help: ArgumentHelp("The address of a service elsewhere.", valueName: "URL"))
    var server: String?

    @Option(help: "The relying party, exactly as it is registered.")
    var realm: String

    @Option(help: "What its tokens name as their issuer; default the server's origin with a slash.")
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

  /// Whose tokens are taken.
  struct TrustOption: ParsableArguments {
    @Option(help: ArgumentHelp("The trust file, as `claims` takes it.", valueName: "FILE"))
    var trust: String

    func load() throws -> Trust {
      let slash = trust.lastIndex(of: "/")
      let folder = slash.map { String(trust[...$0]) } ?? ""
      let file = TrustFile(parsing: try File.read(trust), files: Folder(path: folder))
      return try file.get()
    }

    /// Files that the trust file names.
    private struct Folder: FileSource {
      let path: String

      func read(_ name: String) throws(TokenError) -> [UInt8] {
        do throws(CommandFailure) {
          return try File.read(name.hasPrefix("/") ? name : path + name)
        } catch {
          throw TokenError(.trustFileReference, node: name, found: error.message)
        }
      }
    }
  }

  /// The network.
  struct NetworkOptions: ParsableArguments {
    @Flag(help: "Log what the client does on standard error. No secret is in it.")
    var verbose = false

    @Option(help: ArgumentHelp("Trust these certificates (PEM) alone.", valueName: "FILE"))
    var certificates: String?

    func transport() throws -> AsyncHTTPClientTransport {
      var configuration = TransportConfiguration()
      if let certificates {
        configuration.trustRoots = .certificates(pem: try File.read(certificates))
      }
      return try AsyncHTTPClientTransport(configuration)
    }

    var observer: any ActivityObserver {
      guard verbose else { return NoObserver() }
      return FederationTelemetry(
        logger: Logger(label: "claims-client") { label in
          var handler = StreamLogHandler.standardError(label: label)
          handler.logLevel = .debug
          return handler
        })
    }
  }
#endif
