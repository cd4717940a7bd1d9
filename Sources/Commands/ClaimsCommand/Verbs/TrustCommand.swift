#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import LocalFiles
  import TokenBasics

  struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trust", abstract: "Works with trust files.",
      subcommands: verbs)

    private static var verbs: [any ParsableCommand.Type] {
      [CheckCommand.self, InitCommand.self, FetchCommand.self]
    }

    struct CheckCommand: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Says what is wrong with a trust file, with the line.",
        discussion: """
          Examples:
            claims trust check trust.json

          What the files that it names could not give is listed too (passedOver), and the exit code is 2 then: \
          the rest is trusted all the same.
          The keys that the file names are also checked for what takes milliseconds a key: an RSA modulus \
          that is a prime or a power of one. Keys in metadata are left to claims metadata lint \
          --full-key-check.
          """)

      @Argument(help: ArgumentHelp("The trust file.", valueName: "FILE"), completion: .file())
      var file: String

      func run() throws {
        let trustFile: TrustFile
        do throws(TokenError) {
          trustFile = try TrustFileLoader.load(file)
        } catch {
          throw CommandFailure(usage: error)
        }
        let errors = trustFile.errors + Self.unsoundKeys(of: trustFile.trust)
        var json = JSONWriter()
        json.object { json in
          json.name("valid")
          json.bool(errors.isEmpty)
          json.name("issuers")
          json.integer(trustFile.trust?.issuers.count ?? 0)
          json.name("errors")
          json.array { json in
            for error in errors { json.object { Record.members(of: error, &$0) } }
          }
          json.name("passedOver")
          json.array { json in
            for error in trustFile.passedOver { json.object { Record.members(of: error, &$0) } }
          }
          json.name("warnings")
          json.array { json in trustFile.warnings.forEach { json.string(HintOptions.added(to: $0)) }
          }
        }
        json.endLine()
        try Results.write(json.bytes)
        let name = ShownPath.of(file)
        for error in errors {
          let text = error.setting == nil ? "\(name): \(error)" : error.inFile(name).description
          CommandMessages.own.report(CommandFailure(.usage, text, hint: error.hint))
        }
        for error in trustFile.passedOver {
          CommandMessages.own.report(
            CommandFailure(
              .usage, "\(ShownPath.of(file)): a key is passed over: \(error.asRemark)",
              hint: error.hint))
        }
        if !errors.isEmpty || !trustFile.passedOver.isEmpty { ExitStatus.usage.exit() }
      }

      private static func unsoundKeys(of trust: Trust?) -> [TokenError] {
        let issuers = (trust?.issuers ?? []).filter { $0.source == .configuration }
        return issuers.flatMap(\.keys).filter { !$0.key.isFullySound }.map {
          TokenError(
            .weakKey, node: $0.key.fingerprint,
            expected: "an RSA modulus that is the product of two large primes")
        }
      }
    }
  }

  /// Trust files on disk.
  enum TrustFileLoader {
    /// Reads the trust file at `path`; its key files are relative to it.
    static func load(_ path: String, log: FileLog? = nil) throws(TokenError) -> TrustFile {
      trustFile(try octets(of: path, log: log), at: path, log: log)
    }

    /// What the octets of the trust file at `path` say.
    static func trustFile(_ octets: [UInt8], at path: String, log: FileLog? = nil) -> TrustFile {
      TrustFile(parsing: octets, files: ConfigurationFiles(besides: path, log: log))
    }

    /// The octets of the trust file at `path`.
    static func octets(of path: String, log: FileLog? = nil) throws(TokenError) -> [UInt8] {
      do {
        return try ConfigurationFiles(log: log).read(path)
      } catch {
        // One that is too long is no key either.
        guard error.code == .unreadableKey else { throw error }
        throw TokenError(
          .unreadableFile, node: error.node, expected: error.expected, found: error.found)
      }
    }
  }
#endif
