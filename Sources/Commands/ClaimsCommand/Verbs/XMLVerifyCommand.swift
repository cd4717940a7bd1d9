#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import SecurityKeys
  import TokenBasics
  import XMLSecurity
  import XMLTree

  struct XMLVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Verifies every XML Signature in a document.",
      discussion: """
        Examples:
          claims xml verify --key idp.crt document.xml

        One signature at least must cover the document element: what a document is, and everything \
        that no signature covers, is anybody's word otherwise. "coversDocument" says whether one does.
        """)

    @Option(
      name: .customLong("key"),
      help: ArgumentHelp(
        "A trusted key: PEM or DER file, hmac:BASE64, hmac-file:PATH or jwks:PATH. Repeatable.",
        valueName: "SPEC"), completion: .file())
    var keys: [String]

    @Option(
      name: .customLong("id-attribute"),
      help: ArgumentHelp(
        "A further identifying attribute, name or {namespace}name, besides Id, ID and xml:id. Repeatable.",
        valueName: "NAME"))
    var identifiers: [String] = []

    @OptionGroup var legacy: LegacyOptions

    @Flag(
      name: .customLong("allow-partial"),
      help: "Accept signatures of parts, or around parts, of the document alone.")
    var allowsPartial = false

    @Option(
      help: ArgumentHelp(
        "The clock for certificate dates; default now. RFC 3339, a date (its midnight in UTC) or seconds since 1970.",
        valueName: "INSTANT"))
    var at: String?

    @Argument(
      help: ArgumentHelp("The document; - for standard input.", valueName: "FILE"),
      completion: .file())
    var file: String

    func run() throws {
      let ring = try keyRing()
      let now = try Arguments.instant(at)
      let limits = Limits()
      let octets = try InputFile.read(file, upTo: limits.bytes)
      var json = JSONWriter()
      var isValid = true
      do throws(TokenError) {
        let document = try Document(parsing: UTF16Input.asUTF8(octets), limits: limits)
        let index = try IdentifierIndex(document, .named(identifiers))
        let verified = try DocumentSignatures.verify(
          document, identifiers: index, keys: ring, at: now, limits: limits)
        isValid = allowsPartial || verified.contains(where: \.coversDocument)
        write(verified, in: document, isValid: isValid, &json)
      } catch {
        isValid = false
        json = JSONWriter()
        Record.unreadable(RecognisedText.documentError(error, octets), to: &json)
      }
      try Results.write(json.bytes)
      if !isValid { ExitStatus.rejected.exit() }
    }

    private func keyRing() throws(CommandFailure) -> KeyRing {
      do throws(TokenError) {
        let exceptions = try legacy.exceptions()
        let files = ConfigurationFiles()
        var trusted: [TrustedKey] = []
        for specification in keys {
          let content = try KeySpecification.read(
            specification, allowing: exceptions, files: files)
          SkippedKeys.report(content.passedOver)
          for var key in content.keys {
            key.exceptions = exceptions
            trusted.append(key)
          }
        }
        return KeyRing(trusted)
      } catch {
        throw CommandFailure(usage: error)
      }
    }

    private func write(
      _ verified: [DocumentSignatures.Verified], in document: Document, isValid: Bool,
      _ json: inout JSONWriter
    ) {
      json.object { json in
        json.name("valid")
        json.bool(isValid)
        json.name("coversDocument")
        json.bool(verified.contains(where: \.coversDocument))
        if !isValid {
          json.name("error")
          json.object {
            Record.members(of: TokenError(.signaturePartial, node: document.root.path), &$0)
          }
        }
        json.name("references")
        json.array { json in
          for signature in verified {
            for reference in signature.signature.references { write(reference, &json) }
          }
        }
        json.name("signatures")
        json.array { json in
          for signature in verified {
            json.object { json in
              json.member("node", signature.signature.element.path)
              json.member("algorithm", signature.match.algorithm.name)
              json.member("key", signature.match.key.fingerprint)
              json.name("references")
              json.integer(signature.signature.references.count)
            }
          }
        }
        json.name("warnings")
        json.array { json in
          for signature in verified { signature.match.warnings.forEach { json.string($0) } }
        }
      }
      json.endLine()
    }

    private func write(_ reference: Reference, _ json: inout JSONWriter) {
      json.object { json in
        json.name("uri")
        if let uri = reference.uri { json.string(uri) } else { json.null() }
        json.name("transforms")
        json.array { json in reference.transforms.forEach { json.string($0.uri) } }
        json.member("digestAlgorithm", reference.digestAlgorithm.name)
      }
    }
  }
#endif
