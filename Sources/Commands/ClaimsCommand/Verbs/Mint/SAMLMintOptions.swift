#if CommandLine
  import ArgumentParser
  import Federation

  /// The options of both `mint saml11` and `mint saml20`: all but the version's own.
  struct SAMLMintOptions: ParsableArguments {
    @OptionGroup var draft: DraftOptions
    @OptionGroup var validity: ValidityOptions
    @OptionGroup var signing: SigningOptions
    @OptionGroup var encryption: EncryptionOptions

    @Option(
      help: ArgumentHelp(
        """
        The identifier of the assertion; a response gets it with -response behind it. Default \
        unpredictable.
        """, valueName: "ID"))
    var id: String?

    @Option(help: ArgumentHelp("The address that the token is delivered to.", valueName: "URL"))
    var recipient: String?

    @Option(help: ArgumentHelp("The request that the token answers.", valueName: "ID"))
    var inResponseTo: String?

    @Option(help: ArgumentHelp("The Format URI of the subject's name.", valueName: "URI"))
    var nameFormat: String?

    @Option(
      help: ArgumentHelp(
        "How the subject signed in (a URI); default unspecified.", valueName: "URI"))
    var authenticationMethod: String?

    @Option(
      help: ArgumentHelp(
        "What is put around the assertion: response, rstr (WS-Trust) or none.", valueName: "WRAPPER"
      ))
    var wrap = Wrap.none

    @Option(
      help: ArgumentHelp(
        """
        What is signed: assertion, or in a response also response or both. Default assertion, and \
        both in a response of SAML 1.1, which must be signed itself.
        """, valueName: "PART"))
    var sign: Sign?

    enum Wrap: String, ExpressibleByArgument, CaseIterable {
      case response
      case rstr
      case none
    }

    enum Sign: String, ExpressibleByArgument, CaseIterable {
      case assertion
      case response
      case both

      var parts: SAMLIssuer.SignedParts {
        switch self {
        case .assertion: .assertion
        case .response: .response
        case .both: .both
        }
      }
    }

    func validate() throws {
      if let sign, sign != .assertion, wrap != .response {
        throw ValidationError("--sign \(sign.rawValue) needs --wrap response")
      }
    }

    /// Issues the token; `complete` adds the version's own content.
    func mint(
      _ version: SAMLToken.Version, _ complete: (inout SAMLDelivery) -> Void = { _ in }
    ) throws {
      let issuer = SAMLIssuer(
        version, key: try signing.resolve(), encryptingTo: try encryption.resolve())
      var delivery = SAMLDelivery(
        recipient: recipient, inResponseTo: inResponseTo, nameFormat: nameFormat,
        authenticationMethod: authenticationMethod)
      complete(&delivery)
      try MintCommand.print(draft, id: id, notBefore: try validity.beginning()) {
        (draft) throws(TokenError) in
        switch wrap {
        case .none: try issuer.assertion(draft, delivery: delivery)
        case .rstr: try issuer.tokenResponse(draft, delivery: delivery)
        case .response: try issuer.response(draft, delivery: delivery, signing: sign?.parts)
        }
      }
    }
  }
#endif
