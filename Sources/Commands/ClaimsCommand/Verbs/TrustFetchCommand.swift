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
        let trustFile: TrustFile
        let fetched: TrustFileFetch
        do throws(TokenError) {
          trustFile = try TrustFileLoader.load(file)
        } catch {
          throw CommandFailure(usage: error)
        }
        guard trustFile.errors.isEmpty else { throw CommandFailure(usage: trustFile.errors) }
        do throws(TokenError) {
          fetched = try await TrustFileFetch(
            ConfigurationFiles(log: nil).read(file), over: AsyncHTTPClientTransport())
        } catch {
          throw CommandFailure(usage: error)
        }
        var failures: [TokenError] = []
        for note in fetched.notes {
          let issuer = TokenError.excerpt(note.issuer)
          if let error = note.error, error.code != .trustFileRemote {
            failures.append(error.within(issuer))
          } else {
            CommandMessages.own.note(
              "\(issuer): \(note.text)" + (note.error == nil ? "" : "; left out"))
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
    }
  }
#endif
