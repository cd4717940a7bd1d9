#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import TokenBasics

  struct MetadataShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Prints entities, endpoints, and keys with the days until they expire.",
      discussion: """
        Examples:
          claims metadata show federation.xml
          claims metadata show --key signer.crt --entity https://idp.example/ all.xml

        One JSON object an entity. A file of any size is read piece by piece; with --key its \
        signature is checked first, which is possible up to 10 MiB.
        """)

    @Option(help: ArgumentHelp("Show only the entity of this name.", valueName: "NAME"))
    var entity: String?

    @Flag(help: "Count instead: one object with the number of entities and roles.")
    var count = false

    @Option(
      name: .customLong("key"),
      help: ArgumentHelp(
        "A key of which one must have signed the file. Repeatable.", valueName: "SPEC"),
      completion: .file())
    var keys: [String] = []

    @OptionGroup var legacy: LegacyOptions

    @Option(
      help: ArgumentHelp(
        "The clock; default now. RFC 3339, a date (its midnight in UTC) or seconds since 1970.",
        valueName: "INSTANT"))
    var at: String?

    @Argument(
      help: ArgumentHelp("The metadata file; - for standard input.", valueName: "FILE"),
      completion: .file())
    var file: String

    func validate() throws {
      guard legacy.allowed.isEmpty || !keys.isEmpty else {
        throw ValidationError("--allow-algorithm needs --key")
      }
    }

    func run() throws {
      let now = try Arguments.instant(at)
      let signers = try signers()
      var display = MetadataDisplay(now: now, only: entity, counts: count)
      do throws(TokenError) {
        if signers.isEmpty {
          try stream(into: &display)
        } else {
          let metadata = try SignedMetadata(verifying: whole(), keys: signers, at: now)
          for warning in metadata.warnings { CommandMessages.own.warning("\(warning)") }
          display.show(metadata.entities)
        }
        if !display.finish() {
          throw TokenError(
            .unknownEntity, found: TokenError.excerpt(entity ?? ""))
        }
      } catch {
        var json = JSONWriter()
        Record.failed(error, to: &json)
        try Results.write(json.bytes)
        ExitStatus.rejected.exit()
      }
    }

    private func stream(into display: inout MetadataDisplay) throws(TokenError) {
      var reader = try MetadataReader()
      let chunks = openFile()
      while let chunk = MetadataInput.next(chunks, file) {
        display.show(try reader.consume(chunk))
      }
      display.show(try reader.finish())
    }

    private func openFile() -> FileChunks { MetadataInput.open(file) }

    private func whole() -> [UInt8] {
      let chunks = openFile()
      var bytes: [UInt8] = []
      while bytes.count <= Limits.hardByteLimit, let chunk = MetadataInput.next(chunks, file) {
        bytes += chunk
      }
      return bytes
    }

    private func signers() throws(CommandFailure) -> [TrustedKey] {
      do throws(TokenError) {
        let exceptions = try legacy.exceptions()
        var signers: [TrustedKey] = []
        for specification in keys {
          let key = try KeySpecification.key(specification, files: ConfigurationFiles())
          signers.append(TrustedKey(key, exceptions: exceptions))
        }
        return signers
      } catch {
        throw CommandFailure(usage: error)
      }
    }
  }
#endif
