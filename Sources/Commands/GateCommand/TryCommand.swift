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
    @Flag(help: "Print one JSON object per path.") var json = false

    func run() async throws {
      try await Finding.reporting(file: file, if: json) { try judge() }
    }

    private func judge() throws {
      let file = try GateFile(self.file)
      let subject = try subject(file.configuration)
      var isRefused = false
      for path in paths {
        let (rules, target) = try rules(for: path, file.configuration)
        let decision = rules.decide(target, method: method, subject: subject)
        let rule = decision.rule.map { "rule for \($0.path) at \($0.place)" } ?? "no rule"
        let (word, error) = Self.words(decision.verdict)
        if word == Self.refusal { isRefused = true }
        guard !json else {
          try Self.write(path, word, decision.rule.map { ("\($0.path)", $0.place) }, error)
          continue
        }
        let cause = error.map { ": \($0)" } ?? ""
        let reason = word == Self.signIn ? "nobody is signed in" : rule
        try Results.write(line: "\(path): \(word), \(reason)\(cause)")
      }
      if let subject { noteMissing(of: subject, file.configuration) }
      if isRefused { throw ExitCode(1) }
    }

    private static let refusal = "refuse"
    private static let signIn = "sign in"

    /// What a verdict is called, with its error.
    private static func words(_ verdict: GateVerdict) -> (String, TokenError?) {
      switch verdict {
      case .allow: ("allow", nil)
      case .signIn: (signIn, nil)
      case .signInAgain(let error, _): ("sign in again", error)
      case .forbidden(let error), .tokenRequired(let error), .lacksScope(let error, _):
        (refusal, error)
      }
    }

    /// Writes a verdict as a line of JSON.
    private static func write(
      _ path: String, _ word: String, _ rule: (path: String, place: String)?, _ error: TokenError?
    ) throws(CommandFailure) {
      var json = JSONWriter()
      json.object { json in
        json.member("path", path)
        json.member("verdict", word)
        json.member("rule", rule?.path)
        json.member("place", rule?.place)
        json.member("code", error?.code.rawValue)
        json.member("message", error?.asRemark)
        json.member("hint", error?.hint)
      }
      json.endLine()
      try Results.write(json.bytes)
    }

    /// Says which claims the file names and the subject lacks, and which types it has; no value.
    private func noteMissing(of subject: GateSubject, _ configuration: GateConfiguration) {
      let missing = configuration.missingClaims(of: subject)
      guard !missing.isEmpty else { return }
      let has = subject.claims.grouped.map(\.type.name).joined(separator: ", ")
      CommandMessages.own.note(
        "\(file) names claims that this subject lacks: \(missing.joined(separator: ", ")); it has: "
          + (has.isEmpty ? "none" : has))
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
