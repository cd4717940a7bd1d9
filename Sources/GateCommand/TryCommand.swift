#if Server
  import ArgumentParser
  import GateService
  import StrictJSON

  /// `claims-gate try gate.json --claims claims.json PATH…`
  struct TryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "try", abstract: "Says which rule decides and why, without a server.",
      discussion: """
        claims.json is an object: each member is a claim with a string or a list of strings; "subject" is the \
        subject. Without --claims nobody is signed in.
        """)

    @Argument(help: "The gate's file.") var file: String
    @Argument(help: "The paths to judge.") var paths: [String]
    @Option(help: "A file of claims.") var claims: String?
    @Option(help: "The method of the request.") var method = "GET"

    func run() async throws {
      let file = try GateFile(self.file)
      let subject = try subject(file)
      var isRefused = false
      for path in paths {
        let decision = file.configuration.rules.decide(path, method: method, subject: subject)
        let rule = decision.rule.map { "rule for \($0.path) at \($0.place)" } ?? "no rule"
        switch decision.verdict {
        case .allow: print("\(path): allow, \(rule)")
        case .signIn: print("\(path): sign in, nobody is signed in")
        case .forbidden(let error), .unavailable(let error):
          print("\(path): refuse, \(rule): \(error)")
          isRefused = true
        }
      }
      if isRefused { throw ExitCode(1) }
    }

    private func subject(_ file: GateFile) throws -> GateSubject? {
      guard let claims else { return nil }
      let json: JSONValue
      do throws(TokenError) {
        json = try JSONParser.parse(try GateFile.contents(claims))
      } catch {
        throw GateFailure([error])
      }
      var list: [Claim] = []
      var subject = ""
      for (name, value) in json.members ?? [] {
        let texts = value.array?.compactMap(\.string) ?? value.string.map { [$0] } ?? []
        if name == "subject" { subject = texts.first ?? "" }
        list += texts.map { Claim(ClaimType(name), $0) }
      }
      return GateSubject(subject: subject, claims: ClaimSet(list))
    }
  }
#endif
