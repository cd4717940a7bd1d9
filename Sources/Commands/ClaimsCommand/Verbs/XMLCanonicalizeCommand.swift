#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import SecurityKeys
  import XMLTree

  struct XMLCanonicalizeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "canonicalize",
      abstract: "Prints the canonical form of a document.",
      discussion: """
        Examples:
          claims xml canonicalize --method exc-c14n --id _a1 document.xml
        """)

    enum Method: String, ExpressibleByArgument, CaseIterable {
      case c14n
      case c14n11
      case exclusive = "exc-c14n"

      var algorithm: CanonicalizationMethod.Algorithm {
        switch self {
        case .c14n: .inclusive10
        case .c14n11: .inclusive11
        case .exclusive: .exclusive
        }
      }
    }

    @Option(help: ArgumentHelp("c14n, c14n11 or exc-c14n.", valueName: "METHOD"))
    var method: Method

    @Flag(help: "Keep comments.")
    var withComments = false

    @Option(
      help: ArgumentHelp(
        "The prefix list of exc-c14n, such as \"a b #default\".", valueName: "PREFIXES"))
    var inclusivePrefixes: String?

    @Option(
      name: .customLong("id"),
      help: ArgumentHelp("Only the element with this Id, ID or xml:id.", valueName: "ID"))
    var identifier: String?

    @Argument(
      help: ArgumentHelp("The document; - for standard input.", valueName: "FILE"),
      completion: .file())
    var file: String

    func validate() throws {
      guard inclusivePrefixes == nil || method == .exclusive else {
        throw ValidationError("--inclusive-prefixes goes with --method exc-c14n")
      }
    }

    func run() throws {
      let octets = try InputFile.read(file, upTo: Limits().bytes)
      let canonical: [UInt8]
      do throws(TokenError) {
        let document = try Document(parsing: UTF16Input.asUTF8(octets))
        let subtree = try subtree(of: document)
        let prefixes = (inclusivePrefixes ?? "").split(separator: " ").map(String.init)
        canonical = Canonicalizer.octets(
          subtree,
          CanonicalizationMethod(
            method.algorithm, withComments: withComments, inclusivePrefixes: prefixes))
      } catch {
        throw CommandFailure(.rejected, error.description, hint: error.hint)
      }
      try Results.write(canonical)
    }

    private func subtree(of document: Document) throws(TokenError) -> Subtree {
      guard let identifier else { return document.subtree }
      let index = try IdentifierIndex(document, .named([]))
      guard let element = index.element(identifier.utf8, in: document) else {
        throw TokenError(.referenceUnresolved, node: "--id", found: SecretMark.of(identifier))
      }
      return element.subtree
    }
  }
#endif
