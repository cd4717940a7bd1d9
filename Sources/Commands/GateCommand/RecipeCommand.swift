#if Server
  import ArgumentParser
  import CommandSupport
  import GateService
  import HTTPExchange
  import TokenBasics

  /// `claims-gate recipe [KIND] gate.json`
  struct RecipeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "recipe",
      abstract: "Prints the configuration of the proxy, made from the file.",
      discussion: """
        Examples:
          claims-gate recipe gate.json --application https://app.example=127.0.0.1:8080
          claims-gate recipe haproxy gate.json --fragment

        KIND is nginx, caddy, haproxy, traefik or envoy; without it, proxy.kind of the file. The configuration is \
        complete; several files are printed behind a comment with the name of each. Certificates are expected as \
        HOST.crt and HOST.key, for HAProxy as HOST.pem.
        """)

    @Argument(
      help: ArgumentHelp(
        "The kind of proxy, if any, and the gate's file.", valueName: "[KIND] FILE"),
      completion: .file())
    var words: [String] = []
    @Option(
      help: ArgumentHelp(
        "Where the application of an origin listens. Others are at 127.0.0.1, from port 8080 on.",
        valueName: "ORIGIN=HOST:PORT"))
    var application: [String] = []
    @Flag(help: "Print the parts for a configuration that exists.") var fragment = false

    func validate() throws {
      guard (1...2).contains(words.count) else {
        throw ValidationError("expected [KIND] FILE, found \(words.count) arguments")
      }
      if words.count == 2, ProxyKind(rawValue: words[0]) == nil {
        throw ValidationError(
          "unknown kind of proxy \"\(words[0])\": expected one of "
            + ProxyKind.allCases.map(\.rawValue).joined(separator: ", "))
      }
    }

    func run() async throws {
      let file = try GateFile(words[words.count - 1])
      let kind = words.count == 2 ? ProxyKind(rawValue: words[0]) : nil
      let addresses = try application.map(Self.address)
      let recipe: ProxyRecipe
      do throws(TokenError) {
        recipe = try ProxyRecipe(file.configuration, kind: kind, addresses: addresses)
      } catch {
        throw CommandFailure(usage: error)
      }
      if recipe.kind != file.configuration.proxy {
        CommandMessages.own.warning(
          "\(file.path), \(file.configuration.proxyPlace): proxy.kind is "
            + "\"\(file.configuration.proxy.rawValue)\"; write \"\(recipe.kind.rawValue)\" there, "
            + "since each kind names the judged request in headers of its own")
      }
      let text = ProxyRecipe.printed(fragment ? recipe.fragments : recipe.files)
      try Results.write(Array(text.utf8))
    }

    /// An origin and the address of its application.
    private static func address(
      _ text: String
    ) throws -> (origin: HTTPOrigin, address: HostPort) {
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let url = try? HTTPURL(String(parts[0])) else {
        throw ValidationError(
          "--application: expected ORIGIN=HOST:PORT, such as https://app.example=127.0.0.1:8080, found \(text)"
        )
      }
      do throws(HostPort.Refusal) {
        return (url.origin, try HostPort(parts[1]))
      } catch {
        throw ValidationError("--application: expected \(error.expected)")
      }
    }
  }
#endif
