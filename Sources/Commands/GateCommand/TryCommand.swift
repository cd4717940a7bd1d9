#if Server
  import ArgumentParser
  import CommandSupport
  import GateService
  import LocalFiles
  import TokenBasics

  /// `claims-gate try gate.json --claims claims.json PATH…`
  struct TryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "try",
      abstract: "Says which rule decides and why, without a server.",
      discussion: """
        Examples:
          claims-gate try gate.json --claims claims.json /admin/ /talks
          claims-gate try gate.json --method POST /talks
          claims-gate try gate.json https://wiki.example/talks

        claims.json is an object: each member is a claim with a string, a number, true, false, or a list of these. \
        "subject", "provider" and "issuer" say who signed in; with one provider it need not be named. "acr" and \
        "auth_time" say how and when, "scope" what a token is good for. Without --claims nobody is signed in. Exit 1 \
        where a path is refused.
        """)

    @Argument(help: ArgumentHelp("The gate's file.", valueName: "FILE"), completion: .file())
    var file: String
    @Argument(
      help: ArgumentHelp("The paths to judge, or addresses of an application.", valueName: "PATH"))
    var paths: [String]
    @Option(help: ArgumentHelp("A file of claims.", valueName: "FILE"), completion: .file())
    var claims: String?
    @Option(help: ArgumentHelp("The method of the request.", valueName: "METHOD")) var method =
      "GET"
    @Flag(help: "The claims are those of a bearer token, not of a session.") var token = false

    func run() async throws {
      let file = try GateFile(self.file)
      let subject = try subject(file.configuration)
      var isRefused = false
      for path in paths {
        let (rules, target) = try rules(for: path, file.configuration)
        let decision = rules.decide(target, method: method, subject: subject)
        let rule = decision.rule.map { "rule for \($0.path) at \($0.place)" } ?? "no rule"
        switch decision.verdict {
        case .allow: try Results.write(line: "\(path): allow, \(rule)")
        case .signIn: try Results.write(line: "\(path): sign in, nobody is signed in")
        case .signInAgain(let error, _):
          try Results.write(line: "\(path): sign in again, \(rule): \(error)")
        case .forbidden(let error), .tokenRequired(let error),
          .lacksScope(let error, _):
          try Results.write(line: "\(path): refuse, \(rule): \(error)")
          isRefused = true
        }
      }
      if isRefused { throw ExitCode(1) }
    }

    /// The rules of the application that an address is for, and the path of the address; of the public origin for a path.
    private func rules(
      for path: String, _ configuration: GateConfiguration
    ) throws(CommandFailure) -> (GateRules, String) {
      guard path.hasPrefix("https://") || path.hasPrefix("http://") else {
        return (configuration.rules, path)
      }
      do throws(TokenError) {
        let url = try HTTPURL(path)
        guard let view = configuration.viewed(at: url.origin) else {
          throw TokenError(.gateHost, found: TokenError.excerpt(url.origin.description))
        }
        return (view.rules, url.target)
      } catch {
        throw CommandFailure(usage: error)
      }
    }

    private func subject(_ configuration: GateConfiguration) throws(CommandFailure) -> GateSubject?
    {
      guard let claims else { return nil }
      do throws(TokenError) {
        let octets = try GateFile.contents(claims)
        let json: JSONValue
        do throws(TokenError) {
          json = try JSONParser.parse(octets)
        } catch {
          throw TokenError(
            .gateSyntax, node: "\(claims), \(error.node ?? "line 1")", expected: error.expected,
            found: error.found)
        }
        guard let members = json.members else {
          throw refused(claims, "an object whose members are claims", json)
        }
        var list: [Claim] = []
        for (name, value) in members {
          for element in value.array ?? [value] {
            list.append(Claim(ClaimType(name), try text(element, name, octets)))
          }
        }
        let set = ClaimSet(list)
        func own(_ type: ClaimType) -> String? { list.first { $0.type == type }?.value }
        let only = configuration.providers.count == 1 ? configuration.providers.first?.id : nil
        var subject = GateSubject(
          subject: own(GateClaim.subject) ?? "", claims: set,
          provider: own(GateClaim.provider) ?? only ?? "", issuer: own(GateClaim.issuer) ?? "",
          people: configuration.people ?? .shared)
        subject.authentication = authentication(of: set)
        return subject
      } catch {
        throw CommandFailure(usage: error)
      }
    }

    /// How the claims say that the subject proved who it is.
    private func authentication(of claims: ClaimSet) -> GateAuthentication {
      let principal = FederatedPrincipal(
        issuer: "", subject: "", claims: claims, format: .jwt, issuerSession: IssuerSession(),
        warnings: [])
      return GateAuthentication(
        principal, isToken: token, at: SystemTime().now)
    }

    /// The text of a value, as the claim of a token has it.
    private func text(
      _ value: JSONValue, _ name: String, _ octets: [UInt8]
    ) throws(TokenError) -> String {
      switch value.kind {
      case .string(let text): return text
      case .number, .bool, .object:
        return String(decoding: octets[value.range.clamped(to: octets.indices)], as: UTF8.self)
      default:
        throw refused(
          "\(claims ?? ""), \(name)",
          "a string, a number, true, false, an object, or a list of these", value)
      }
    }

    private func refused(_ node: String, _ expected: String, _ value: JSONValue) -> TokenError {
      TokenError(.gateValue, node: node, expected: expected, found: value.kindName)
    }
  }
#endif
