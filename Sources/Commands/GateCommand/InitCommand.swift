#if Server
  import ArgumentParser
  import CommandSupport
  import GateService
  import HTTPExchange
  import LocalFiles
  import TokenBasics

  /// `claims-gate init [FOLDER]`
  struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract:
        "Writes a folder to start from: gate.json, keys, a recipe for the proxy, next steps.",
      discussion: """
        Examples:
          claims-gate init gate
          claims-gate init gate --public https://app.example --saml idp.xml
          claims-gate init gate --resource

        Existing files are never replaced. The default is a trial on this machine: people sign in at the acs that \
        acs init sets up. With --resource the gate protects a server for programs, such as an MCP server, by access \
        tokens; acs init --agents makes the service that issues them. On a terminal, and without options, the command \
        asks for the addresses.
        """)

    /// The kinds of proxies, as ``ProxyKind`` names them.
    enum Proxy: String, ExpressibleByArgument, CaseIterable {
      case nginx, caddy, haproxy, traefik, envoy

      var kind: ProxyKind { ProxyKind(rawValue: rawValue) ?? .nginx }
    }

    @Argument(
      help: ArgumentHelp("The folder to write into, this one by default.", valueName: "FOLDER"),
      completion: .directory)
    var folder = "."
    @Option(
      name: .customLong("public"),
      help: ArgumentHelp(
        "What browsers and programs ask for; http://127.0.0.1:8080 by default.", valueName: "URL"))
    var publicOrigin: String?
    @Option(
      help: ArgumentHelp(
        "Where the application listens; 127.0.0.1:3000 by default.", valueName: "HOST:PORT"))
    var application: String?
    @Option(
      help: ArgumentHelp("nginx, caddy, haproxy, traefik or envoy.", valueName: "KIND"))
    var proxy = Proxy.nginx
    @Option(
      help: ArgumentHelp(
        "SAML metadata of the identity provider, which is copied into the folder.",
        valueName: "FILE"), completion: .file())
    var saml: String?
    @Option(
      name: .customLong("openid"),
      help: ArgumentHelp(
        "The issuer of an OpenID Connect provider, or of the access tokens; http://127.0.0.1:8090/ by default.",
        valueName: "URL"))
    var issuer: String?
    @Option(
      help: ArgumentHelp("The client identifier at that provider.", valueName: "ID"))
    var clientID = "gate"
    @Flag(help: "Protect a server for programs: access tokens in place of a sign-in.")
    var resource = false

    func validate() throws {
      if saml != nil, issuer != nil || resource {
        throw ValidationError("--saml excludes --openid and --resource")
      }
      if let publicOrigin, (try? HTTPURL(publicOrigin)) == nil {
        throw ValidationError(
          "--public: expected an address such as https://app.example, found \(ShownPath.of(publicOrigin))"
        )
      }
    }

    func run() async throws {
      let asks = publicOrigin == nil && application == nil && saml == nil && issuer == nil
      func answer(_ given: String?, _ question: String, _ suggestion: String) -> String {
        given ?? (asks ? Questions.ask(question, suggestion: suggestion) : suggestion)
      }
      let address = answer(
        publicOrigin, "What do browsers ask for?", "http://127.0.0.1:8080")
      let listens = answer(application, "Where does the application listen?", "127.0.0.1:3000")
      let origin: HTTPOrigin
      let target: HostPort
      do throws(TokenError) {
        origin = try HTTPURL(address).origin
      } catch {
        throw CommandFailure(usage: error.within("--public"))
      }
      do throws(HostPort.Refusal) {
        target = try HostPort(Substring(listens))
      } catch {
        throw ValidationError("--application: expected \(error.expected)")
      }
      let start = GateStart(
        origin: origin, application: target, proxy: proxy.kind, isResource: resource,
        issuer: saml == nil
          ? answer(issuer, "Which issuer does the gate believe?", "http://127.0.0.1:8090/") : "",
        clientID: clientID)
      var files = NewFiles(in: folder)
      try start.add(to: &files, metadata: saml.map(Self.metadata))
      try files.write()
      try Results.write(line: files.listing(next: "GATE.md"))
    }

    private static func metadata(_ path: String) throws(CommandFailure) -> [UInt8] {
      do throws(TokenError) {
        return try GateFile.contents(path)
      } catch {
        throw CommandFailure(usage: error)
      }
    }
  }
#endif
