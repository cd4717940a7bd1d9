#if CommandLine && Client
  import ArgumentParser
  import CommandSupport
  import Federation
  import FederationNetwork
  import IssuerRegistry
  import LocalFiles

  extension TrustCommand {
    /// `claims trust fetch FILE`
    struct FetchCommand: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Writes a trust file anew, with the keys that its addresses have now.",
        discussion: """
          Examples:
            claims trust fetch gate-trust.json > trust.json

          Issuers with openID or keysAt get their keys in the file, which claims verify takes then; the rest of \
          the file stays as it is. An issuer with introspection has no keys, and is left out. Secrets are never \
          written. Exit 2 where an issuer's keys cannot be fetched, or no issuer is left.
          """)

      @Argument(help: ArgumentHelp("The trust file.", valueName: "FILE"), completion: .file())
      var file: String

      func run() async throws {
        let fetched = try await fetched()
        var failures: [TokenError] = []
        for note in fetched.notes {
          let issuer = TokenError.excerpt(note.issuer)
          switch note.outcome {
          case .written: CommandMessages.own.note("\(issuer): \(note.text)")
          case .leftOut: CommandMessages.own.note("\(issuer): \(note.text); left out")
          case .failed(let error): failures.append(error.within(issuer))
          }
        }
        guard failures.isEmpty else { throw CommandFailure(usage: failures) }
        guard fetched.issuers > 0 else {
          throw CommandFailure(
            .usage, "\(ShownPath.of(file)): no issuer is left",
            hint: "name one with keys, keysAt or openID")
        }
        try Results.write(fetched.document)
      }

      private func fetched() async throws(CommandFailure) -> TrustFileFetch {
        var mistakes: [TokenError]
        do throws(TokenError) {
          // Read once, so that what was checked is what is written.
          let octets = try TrustFileLoader.octets(of: file)
          mistakes = TrustFileLoader.trustFile(octets, at: file).errors
          if mistakes.isEmpty {
            return try await TrustFileFetch(octets, over: AsyncHTTPClientTransport())
          }
        } catch {
          mistakes = [error]
        }
        throw CommandFailure(usage: mistakes)
      }
    }
  }
#endif

#if CommandLine && !Client
  import ArgumentParser
  import CommandSupport

  extension TrustCommand {
    /// `claims trust fetch FILE` of a build that has no HTTP client: it says which trait has one.
    struct FetchCommand: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Needs a build with trait Client.", shouldDisplay: false)

      @Argument(parsing: .allUnrecognized, help: .hidden) var words: [String] = []

      func run() throws {
        throw CommandFailure(
          .usage, "trust fetch: built without trait Client",
          hint: "swift build --traits Client --product claims")
      }
    }
  }
#endif
