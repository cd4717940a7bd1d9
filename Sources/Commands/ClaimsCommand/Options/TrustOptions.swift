#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import LocalFiles
  import TokenBasics

  /// The trusted keys, our own names, and the clock.
  struct TrustOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp("A trust file (JSON); excludes --key and --metadata.", valueName: "FILE"),
      completion: .file())
    var trust: String?

    @Option(
      name: .customLong("key"),
      help: ArgumentHelp(
        """
        A trusted key: PEM or DER file, hmac:BASE64, hmac-file:PATH or jwks:PATH. Repeatable, but not \
        together with several --issuer: a trust file says which key is whose.
        """, valueName: "SPEC"), completion: .file())
    var keys: [String] = []

    @OptionGroup var decryption: DecryptionOptions

    @Option(
      name: .customLong("metadata"),
      help: ArgumentHelp(
        "Trust the signing keys in this SAML or WS-Federation metadata, each for its own entityID. Repeatable.",
        valueName: "FILE"), completion: .file())
    var metadata: [String] = []

    @Option(
      name: .customLong("metadata-key"),
      help: ArgumentHelp(
        """
        A key of which one must have signed the --metadata file; without one the files are trusted as they \
        are. Repeatable, but not together with several --metadata.
        """, valueName: "SPEC"), completion: .file())
    var metadataKeys: [String] = []

    @Option(
      name: .customLong("issuer"),
      help: ArgumentHelp(
        "An accepted issuer; default any that a key vouches for. Repeatable.", valueName: "NAME"))
    var issuers: [String] = []

    @Option(
      name: .customLong("audience"),
      help: ArgumentHelp("A name of ours. Repeatable.", valueName: "NAME"))
    var audiences: [String] = []

    @Flag(help: "Accept a token whomever it is for.")
    var allowAnyAudience = false

    @Option(
      help: ArgumentHelp(
        """
        The address that the token was delivered to. SAML alone names one, SAML 1.1 only in a response \
        that is signed itself; every other token is refused.
        """, valueName: "URL"))
    var recipient: String?

    @Option(
      help: ArgumentHelp(
        """
        The request that the token answers: InResponseTo of SAML (of SAML 1.1 only in a response that is \
        signed itself), the nonce of a JWT; every other token is refused.
        """, valueName: "ID"))
    var inResponseTo: String?

    @Option(
      help: ArgumentHelp(
        """
        Demands that the holder of an SD-JWT proved to have its key, for this audience; every other token \
        is refused. Without it a key-binding JWT is not read, with a warning.
        """, valueName: "URI"))
    var keyBinding: String?

    @Option(
      help: ArgumentHelp(
        "The nonce that the key-binding JWT must have; without it there is a warning.",
        valueName: "NONCE"))
    var nonce: String?

    @Option(
      help: ArgumentHelp(
        """
        The clock, which then stands still; default the machine's. RFC 3339, a date (its midnight in UTC) or \
        seconds since 1970.
        """, valueName: "INSTANT"))
    var at: String?

    @Option(
      help: ArgumentHelp(
        "Seconds that clocks may differ, 0 to 600; default 60.", valueName: "SECONDS"))
    var skew: Int?

    @OptionGroup var legacy: LegacyOptions

    @Option(
      help: ArgumentHelp(
        "What to do about expired certificates around trusted keys: warn or enforce.",
        valueName: "ACTION"))
    var certificateDates: CertificateDatesArgument?

    enum CertificateDatesArgument: String, WordArgument {
      case warn
      case enforce
    }

    /// Whether the options name nothing to trust.
    var isEmpty: Bool { trust == nil && keys.isEmpty && metadata.isEmpty }

    /// Checks the options against each other. Not in `validate()`, which the parser calls before it names an unknown
    /// option: `--trsut` is to be named as such, not as missing trust.
    private func check() throws(CommandFailure) {
      guard trust == nil || keys.isEmpty else {
        throw CommandFailure(.usage, "--trust and --key exclude each other", hint: "see --help")
      }
      guard trust == nil || metadata.isEmpty else {
        throw CommandFailure(
          .usage, "--trust and --metadata exclude each other", hint: "see --help")
      }
      guard !isEmpty else {
        throw CommandFailure(
          .usage, "nothing is trusted: name a key with --key or a file with --trust or --metadata",
          hint: "see --help")
      }
      guard metadataKeys.isEmpty || !metadata.isEmpty else {
        throw CommandFailure(.usage, "--metadata-key needs --metadata", hint: "see --help")
      }
      guard nonce == nil || keyBinding != nil else {
        throw CommandFailure(.usage, "--nonce needs --key-binding", hint: "see --help")
      }
      guard !allowAnyAudience || audiences.isEmpty else {
        throw CommandFailure(
          .usage, "--audience and --allow-any-audience exclude each other", hint: "see --help")
      }
      try checkValues()
      if keys.count > 1, Self.distinct(issuers).count > 1 {
        throw CommandFailure(usage: Self.unpaired("--key", keys, "--issuer", issuers))
      }
      if metadataKeys.count > 1, metadata.count > 1 {
        throw CommandFailure(
          usage: Self.unpaired("--metadata-key", metadataKeys, "--metadata", metadata))
      }
    }

    /// Checks each option by itself.
    private func checkValues() throws(CommandFailure) {
      if let skew, !Trust.skewRange.contains(skew) {
        throw CommandFailure(
          .usage, "--skew must be from 0 to \(Trust.skewRange.upperBound)", hint: "see --help")
      }
      let names = [
        ("--issuer", issuers), ("--audience", audiences), ("--recipient", [recipient ?? "-"]),
        ("--in-response-to", [inResponseTo ?? "-"]), ("--key-binding", [keyBinding ?? "-"]),
        ("--nonce", [nonce ?? "-"]),
      ]
      for (option, values) in names where values.contains("") {
        throw CommandFailure(.usage, "\(option) must not be empty", hint: "see --help")
      }
    }

    /// Each of the one would stand for each of the other.
    private static func unpaired(
      _ keys: String, _ keyList: [String], _ owners: String, _ ownerList: [String]
    ) -> TokenError {
      TokenError(
        .unpairedKeys, node: keys, expected: "one \(keys), or one \(owners)",
        found: "\(keyList.count) of \(keys) and \(ownerList.count) of \(owners)")
    }

    var expectations: Expectations {
      Expectations(
        recipient: recipient, inResponseTo: inResponseTo,
        keyBinding: keyBinding.map { KeyBindingDemand(audience: $0, nonce: nonce) })
    }

    /// The clock of the checks.
    func clock() throws(CommandFailure) -> RunClock {
      try at == nil ? .ofTheMachine : .fixed(Arguments.instant(at))
    }

    /// The trust of the flags or the file.
    func resolve(pinned: PinnedFormat?, log: FileLog? = nil) throws(CommandFailure) -> Trust {
      try check()
      let files = ConfigurationFiles(log: log)
      do {
        var trust = try base(pinned, files)
        if allowAnyAudience { trust.audiences = .any }
        if !audiences.isEmpty { trust.audiences = .oneOf(audiences) }
        if let skew { try trust.setSkew(skew) }
        trust.decryptionKeys += try decryption.keys(files)
        SkippedKeys.report(trust.passedOver)
        for warning in issuers.compactMap(IssuerTemplate.warning) {
          CommandMessages.own.warning("\(warning)")
        }
        for name in trust.namesPinnedAgainstMetadata {
          CommandMessages.own.note(
            "warning: \(TokenError.excerpt(name)) is pinned to the keys that are named for it: "
              + "what metadata says about it is not used")
        }
        return trust
      } catch {
        throw CommandFailure(usage: error)
      }
    }

    /// The trust of a file, whose errors name it.
    private func fromFile(
      _ path: String, _ files: ConfigurationFiles
    ) throws(TokenError) -> Trust {
      do throws(TokenError) {
        return try TrustFile.trust(
          at: path, read: { () throws(TokenError) in try files.read(path) },
          files: ConfigurationFiles(besides: path, log: files.log))
      } catch {
        // Errors of the files that it names have their names.
        guard error.node?.hasPrefix("line ") ?? false else {
          throw RecognisedText.nameError(error, path, at: .trustFile)
        }
        throw error.within(ShownPath.of(path))
      }
    }

    private func base(
      _ pinned: PinnedFormat?, _ files: ConfigurationFiles
    ) throws(TokenError) -> Trust {
      let exceptions = try legacy.exceptions()
      guard let path = trust else { return try fromFlags(files, exceptions, pinned) }
      var trust = try fromFile(path, files)
      if !issuers.isEmpty {
        trust.issuers.removeAll { trusted in !issuers.contains { trusted.accepts($0) } }
      }
      guard !exceptions.isEmpty || certificateDates == .enforce else { return trust }
      let enforces = certificateDates == .enforce
      trust.issuers = trust.issuers.map { issuer in
        issuer.mappingKeys(adding: exceptions) { key in
          var key = key
          key.exceptions.formUnion(exceptions)
          if enforces { key.certificateDates = .enforce }
          return key
        }
      }
      return trust
    }

    private func fromFlags(
      _ files: ConfigurationFiles, _ exceptions: Set<LegacyException>, _ pinned: PinnedFormat?
    ) throws(TokenError) -> Trust {
      var vouching: [(TrustedKey, Set<TokenFormat>)] = []
      var passedOver: [TokenError] = []
      for specification in keys {
        let content = try KeySpecification.read(
          specification, allowing: exceptions, files: files)
        for key in content.keys {
          vouching.append(entry(for: key, specification, exceptions, pinned))
        }
        passedOver += content.passedOver
        SkippedKeys.report(warnings: content.warnings)
      }
      let names: [TrustedIssuer.Name] =
        issuers.isEmpty ? [.any] : Self.distinct(issuers).map(TrustedIssuer.Name.exactly)
      var trust = Trust(
        issuers: names.flatMap { TrustedIssuer.entries($0, keys: vouching) },
        audiences: .oneOf([]))
      trust.issuers += try fromMetadata(files, exceptions)
      trust.passedOver = passedOver
      return trust
    }

    /// The names, each once, compared as bytes.
    private static func distinct(_ names: [String]) -> [String] {
      var seen: Set<[UInt8]> = []
      return names.filter { seen.insert(Array($0.utf8)).inserted }
    }

    private func fromMetadata(
      _ files: ConfigurationFiles, _ exceptions: Set<LegacyException>
    ) throws(TokenError) -> [TrustedIssuer] {
      var trust = MetadataTrust()
      trust.exceptions = exceptions
      trust.certificateDates = certificateDates == .enforce ? .enforce : .warn
      trust.wanted = issuers.isEmpty ? nil : issuers
      for specification in metadataKeys {
        trust.signers.append(
          TrustedKey(
            try KeySpecification.key(specification, files: files), exceptions: exceptions))
      }
      var known: Set<[UInt8]> = []
      var trusted: [TrustedIssuer] = []
      for path in metadata {
        trusted += try trust.issuers(inFile: path, of: files, known: &known)
      }
      return trusted
    }
  }

  extension TrustOptions {
    /// A key with its formats. A secret is for JWT only where JWT is the only possible format, and any
    /// other key for SD-JWT so too.
    private func entry(
      for key: TrustedKey, _ specification: String, _ exceptions: Set<LegacyException>,
      _ pinned: PinnedFormat?
    ) -> (TrustedKey, Set<TokenFormat>) {
      var entry = key
      entry.exceptions = exceptions
      if certificateDates == .enforce { entry.certificateDates = .enforce }
      var formats = KeySpecification.defaultFormats(of: specification, key: key.key)
      switch (key.key.material, pinned) {
      case (.secret, .jwt): formats = [.jwt]
      case (.secret, _): break
      case (_, .sdjwt): formats = [.sdjwt]
      default: break
      }
      return (entry, formats)
    }
  }

  extension TrustedIssuer {
    /// Whether this is the entry of that issuer.
    fileprivate func accepts(_ issuer: String) -> Bool {
      if case .exactly = name { isIssuer(issuer) } else { false }
    }
  }
#endif
