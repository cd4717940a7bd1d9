import CommandSupport
import LocalFiles

#if CommandLine
  import ArgumentParser
  import Federation
  import TokenBasics
  import TokenMutation

  struct MutateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "mutate",
      abstract: "Makes bad variants of a good token, each with the code that it must get.",
      discussion: """
        Examples:
          claims mutate token.txt > variants.jsonl
          claims mutate --key idp.key --output variants token.txt

        Send them to your own endpoint: it must refuse every one. The codes are those of claims \
        verify with the same clock, skew, audience, recipient, request and format, and nothing \
        allowed by name. The same arguments give the same variants, unless the issuer's key is an \
        EC key, whose signatures OpenSSL randomises, or the token is encrypted: what is encrypted \
        anew has other bytes every time. Variants over the default limit of a token's size are left \
        out: they would be refused for that.
        """)

    @Argument(
      help: ArgumentHelp("The good token; - or none for standard input.", valueName: "FILE"),
      completion: .file())
    var file = "-"

    @Option(
      help: ArgumentHelp(
        "Take only this format: swt, saml11, saml20, jwt, sdjwt or rstr.", valueName: "FORMAT"))
    var format: FormatArgument?

    @Option(
      help: ArgumentHelp(
        """
        The key that signed it: a private key (PEM or DER file), jwk:PATH for a private JWK of ML-DSA (AKP), \
        hmac:BASE64 or hmac-file:PATH. With it there are also variants that the issuer signed anew: expired, for somebody else, SHA-1.
        """, valueName: "SPEC"), completion: .file())
    var key: String?

    @OptionGroup var decryption: DecryptionOptions

    @Option(
      help: ArgumentHelp(
        "The clock by which the variants will be judged; default now. RFC 3339, a date (its midnight in UTC) or seconds since 1970.",
        valueName: "INSTANT"))
    var at: String?

    @Option(
      help: ArgumentHelp(
        "Seconds that clocks may differ, 0 to 600; default 60.", valueName: "SECONDS"))
    var skew: Int = Trust.defaultSkew

    @Option(
      help: ArgumentHelp(
        "The address that the endpoint expects, for variants with another one.", valueName: "URL"))
    var recipient: String?

    @Option(
      help: ArgumentHelp(
        "The request that the endpoint expects, for variants with another one.", valueName: "ID"))
    var inResponseTo: String?

    @Flag(
      name: .customLong("named-issuers"),
      help: "The endpoint accepts only issuers that it knows by name (--issuer, a trust file).")
    var namesIssuers = false

    @Flag(help: "The endpoint accepts a token whomever it is for.")
    var allowAnyAudience = false

    @Flag(
      help:
        "One JSON object a line, as claims verify --lines reads it; the default without --output."
    )
    var lines = false

    @Option(
      help: ArgumentHelp(
        "A folder to write each variant to, with manifest.jsonl; made when it is missing.",
        valueName: "FOLDER"), completion: .directory)
    var output: String?

    func validate() throws {
      guard Trust.skewRange.contains(skew) else {
        throw ValidationError("--skew must be from 0 to \(Trust.skewRange.upperBound)")
      }
    }

    func run() throws {
      let token = InputOptions.withoutLineEnd(
        try InputFile.read(file, upTo: Limits().bytes))
      let usesLines = lines || output == nil
      let written = WrittenVariants(folder: output)
      try makeMutations(of: token) { mutation in
        written.write(mutation)
        guard usesLines else { return }
        var json = JSONWriter(capacity: mutation.octets.count + 512)
        Record.mutation(mutation, file: nil, to: &json)
        CommandMessages.own.writeOrEnd(json.bytes)
      }
      try written.finish()
      guard !usesLines else { return }
      var json = JSONWriter()
      Record.mutationCount(written.families, to: &json)
      try Results.write(json.bytes)
    }

    private func makeMutations(
      of token: [UInt8], _ receive: @escaping (Mutation) -> Void
    ) throws(CommandFailure) {
      var endpoint = Endpoint(
        now: try Arguments.instant(at), skew: skew,
        expectations: Expectations(recipient: recipient, inResponseTo: inResponseTo))
      // Without a clock of their own they are sent at once or within the hour, and must be bad all the while.
      if at == nil { endpoint.patience = 3600 }
      endpoint.namesIssuers = namesIssuers
      endpoint.checksAudience = !allowAnyAudience
      let pinned = format.flatMap { PinnedFormat(rawValue: $0.rawValue) }
      do {
        try TokenMutator(
          endpoint, key: issuerKey(), decryptionKeys: decryption.keys()
        ).makeMutations(of: token, as: pinned, receive)
      } catch {
        throw CommandFailure(usage: error)
      }
    }

    private func issuerKey() throws(TokenError) -> IssuerKey? {
      guard let key else { return nil }
      if key.hasPrefix("hmac:") || key.hasPrefix("hmac-file:") {
        let read = try KeySpecification.key(key, files: ConfigurationFiles())
        guard case .secret(let secret) = read.material else { return nil }
        return .secret(secret)
      }
      let prefix = "jwk:"
      do throws(TokenError) {
        if key.hasPrefix(prefix) {
          let bytes = try ConfigurationFiles().read(String(key.dropFirst(prefix.count)))
          return .postQuantum(try PostQuantumSigningKey.read(jwk: bytes).key)
        }
        return .privateKey(try PrivateKey(pemOrDER: ConfigurationFiles().read(key)))
      } catch {
        throw error.located(at: key)
      }
    }
  }

  /// Counts variants, and writes each to a folder, if there is one.
  private final class WrittenVariants {
    private let folder: String?
    private var manifest = JSONWriter(capacity: 1 << 16)
    private(set) var families: [(name: String, count: Int)] = []

    init(folder: String?) { self.folder = folder }

    /// A file that cannot be written ends the command.
    func write(_ mutation: Mutation) {
      do {
        if families.isEmpty { try makeFolder() }
        if let index = families.firstIndex(where: { $0.name == mutation.family }) {
          families[index].count += 1
        } else {
          families.append((mutation.family, 1))
        }
        guard let folder else { return }
        let suffix = mutation.octets.first == UInt8(ascii: "<") ? ".xml" : ".txt"
        let file = mutation.name.replacing("/", with: ".") + suffix
        try DocumentOutput.write(mutation.octets, to: folder + "/" + file)
        Record.mutation(mutation, file: file, to: &manifest)
      } catch {
        CommandMessages.own.end(error)
      }
    }

    func finish() throws(CommandFailure) {
      if families.isEmpty { try makeFolder() }
      guard let folder else { return }
      try DocumentOutput.write(manifest.bytes, to: folder + "/manifest.jsonl")
    }

    private func makeFolder() throws(CommandFailure) {
      guard let folder else { return }
      do throws(FileFailure) {
        try OpenFile.makeFolder(folder)
      } catch {
        throw CommandFailure(.inputOutput, error.sentence("make", folder))
      }
    }
  }
#endif
