#if Server
  import AccessControl
  import ArgumentParser
  import CommandSupport
  import HTTPExchange
  import LocalFiles
  import TokenBasics

  /// `acs init [FOLDER]`
  struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract:
        "Writes a folder to start from: acs.json, its keys, and a page with the next steps.",
      discussion: """
        Examples:
          acs init acs
          acs init acs --agents
          acs init acs --agents --saml idp.xml --subject-from uid

        Existing files are never replaced. Without --saml the service has a test person. With --agents it issues access \
        tokens to clients that register themselves, such as MCP clients, for the server that claims-gate init --resource \
        protects. Otherwise the gate of claims-gate init signs people in here.
        """)

    @Argument(
      help: ArgumentHelp("The folder to write into, this one by default.", valueName: "FOLDER"),
      completion: .directory)
    var folder = "."
    @Flag(help: "Issue access tokens for the people of an organisation to agents.")
    var agents = false
    @Option(
      help: ArgumentHelp(
        "SAML metadata of the organisation's identity provider, which is copied into the folder.",
        valueName: "FILE"), completion: .file())
    var saml: String?
    @Option(
      help: ArgumentHelp(
        "The attribute that identifies a person at that provider, in place of its name identifier.",
        valueName: "TYPE"))
    var subjectFrom: String?
    @Option(
      help: ArgumentHelp(
        "The service's own address; http://127.0.0.1:8090/ by default.", valueName: "URL"))
    var issuer = "http://127.0.0.1:8090/"
    @Option(
      name: .customLong("public"),
      help: ArgumentHelp(
        "The public address of the gate; http://127.0.0.1:8080 by default.", valueName: "URL"))
    var gate: String?

    func validate() throws {
      if subjectFrom != nil, saml == nil { throw ValidationError("--subject-from needs --saml") }
      for (option, text) in [("--issuer", issuer), ("--public", gate ?? "http://127.0.0.1:8080")] {
        guard (try? HTTPURL(text)) == nil else { continue }
        throw ValidationError(
          "\(option): expected an address such as https://login.example/, found \(ShownPath.of(text))"
        )
      }
    }

    func run() async throws {
      var files = NewFiles(in: folder)
      let metadata = try saml.map(Self.metadata)
      let asks = gate == nil && saml == nil
      let address =
        asks
        ? Questions.ask(
          "What is the public address of the gate?", suggestion: "http://127.0.0.1:8080")
        : gate ?? "http://127.0.0.1:8080"
      do throws(TokenError) {
        let service = ServiceStart(
          issuer: try HTTPURL(issuer), gate: try HTTPURL(address).origin, isForAgents: agents,
          subjectFrom: subjectFrom, isSAML: metadata != nil)
        let (file, errors) = ServiceFile.read(Array(service.text.utf8))
        guard file != nil else { throw errors.first ?? TokenError(.issuingFileValue) }
        files.add("acs.json", service.text)
        files.add("ACS.md", service.page)
      } catch {
        throw CommandFailure(service: [error])
      }
      if let metadata { files.add("idp.xml", metadata) }
      try files.write()
      do throws(TokenError) {
        _ = try ServiceKeys(
          path: files.path(of: "acs.keys"), name: HTTPURL(issuer).origin.host, at: SystemTime().now)
      } catch {
        throw CommandFailure(service: [error])
      }
      try Results.write(line: files.listing(and: ["acs.keys"], next: "ACS.md"))
    }

    private static func metadata(_ path: String) throws(CommandFailure) -> [UInt8] {
      do throws(TokenError) {
        return try ServiceFolder.contents(path)
      } catch {
        throw CommandFailure(service: [error])
      }
    }
  }
#endif
