#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import Octets
  import SAML
  import SecurityKeys
  import TokenBasics

  struct MetadataShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Prints entities, endpoints, and keys with the days until they expire.",
      discussion: """
        Examples:
          claims metadata show federation.xml
          claims metadata show --key signer.crt --entity https://idp.example/ all.xml

        One JSON object an entity. A file of any size is read piece by piece; with --key \
        nothing is shown before its signature is found to be valid.
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
          let outcome = try signed(by: signers, at: now, for: display)
          for warning in outcome.warnings { CommandMessages.own.warning("\(warning)") }
          display = outcome.sink.display
          display.show(outcome.sink.wanted)
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
      var beginning: [UInt8] = []
      do throws(TokenError) {
        var reader = try MetadataReader()
        let chunks = openFile()
        while let chunk = MetadataInput.next(chunks, file) {
          if beginning.isEmpty { beginning = chunk }
          display.show(try reader.consume(chunk))
        }
        display.show(try reader.finish())
      } catch {
        throw RecognisedText.metadataError(error, beginning)
      }
    }

    private func openFile() -> FileChunks { MetadataInput.open(file) }

    private func signed(
      by signers: [TrustedKey], at now: Instant, for display: MetadataDisplay
    ) throws(TokenError) -> SignedMetadataReader<SignedDisplay>.Outcome {
      var reader = try SignedMetadataReader(
        keys: signers, at: now, into: SignedDisplay(display: display))
      let chunks = openFile()
      while let chunk = MetadataInput.next(chunks, file) { try reader.consume(chunk) }
      return try reader.finish()
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

  /// Counts entities, or keeps those that are shown once the signature is found to be valid.
  private struct SignedDisplay: MetadataSink {
    var display: MetadataDisplay
    private(set) var wanted: [EntityDescriptor] = []

    init(display: MetadataDisplay) { self.display = display }

    mutating func take(_ entity: EntityDescriptor) {
      if display.counts {
        display.show([entity])
      } else if display.only.map({ $0.hasSameBytes(as: entity.entityID) }) ?? true {
        wanted.append(entity)
      }
    }
  }
#endif
