#if Client
  import ArgumentParser
  import CommandSupport
  import Federation
  import FederationClient
  import FederationNetwork
  import HTTPExchange
  import TokenBasics

  /// `claims-client call`
  struct CallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "call",
      abstract: "Sends a request with a session's credential.",
      discussion: """
        Examples:
          claims-client call GET https://api.example/talks
          claims-client call POST https://api.example/talks --body-file talk.json

        The credential is sent to the origin of the session's own service only, and no redirect is \
        followed. After a 401 the session is renewed once and the request repeated. Prints status, content \
        type and body; any status but 2xx is exit code 1.
        """)

    @Argument(
      help: ArgumentHelp("GET, POST, PUT, PATCH or DELETE.", valueName: "METHOD"),
      completion: .list(["GET", "POST", "PUT", "PATCH", "DELETE"]))
    var method: String

    @Argument(help: ArgumentHelp("The address.", valueName: "URL"))
    var url: String

    @Option(
      help: ArgumentHelp("A file with the body; - for standard input.", valueName: "FILE"),
      completion: .file())
    var bodyFile: String?

    @Option(help: ArgumentHelp("The body's type; default application/json.", valueName: "TYPE"))
    var contentType: String?

    @OptionGroup var store: StoreOptions
    @OptionGroup var secrets: ServiceSecrets
    @OptionGroup var network: NetworkOptions

    func validate() throws {
      guard contentType == nil || bodyFile != nil else {
        throw ValidationError("--content-type needs --body-file")
      }
    }

    func run() async throws {
      guard let method = HTTPMethod(rawValue: self.method) else {
        throw CommandFailure(
          .usage, "the method is GET, POST, PUT, PATCH or DELETE", hint: "see --help")
      }
      let body = try bodyFile.map { try InputFile.read($0) } ?? []
      let fields = try HTTPFields(
        [("Accept", "application/json")]
          + (bodyFile == nil ? [] : [("Content-Type", contentType ?? "application/json")]))
      let request = HTTPRequest(method, try HTTPURL(url), fields: fields, body: body)
      let transport = try network.transport()
      let used = try await SessionInUse(store, secrets, network, over: transport)
      guard try await used.current.restore() != nil else { throw TokenError(.sessionTimedOut) }
      let answer = try await used.authorized(over: used.access.transport).response(to: request)
      await transport.shutdown()
      try write(answer)
      if !answer.isSuccess { ExitStatus.rejected.exit() }
    }

    private func write(_ answer: HTTPResponse) throws(CommandFailure) {
      var json = JSONWriter()
      json.object { json in
        json.name("status")
        json.integer(answer.status)
        if let type = answer.fields["Content-Type"] { json.member("contentType", type) }
        if let text = String(validating: answer.body, as: UTF8.self) {
          json.member("body", text)
        } else {
          json.member("base64", Base64.encode(answer.body))
        }
      }
      try Results.write(line: json.bytes)
    }
  }
#endif
