#if CommandLine
  import ArgumentParser
  import Federation

  struct MintSAML20Command: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "saml20",
      abstract: "Issues a SAML 2.0 assertion, alone, in a response or in a WS-Trust response.")

    @OptionGroup var options: SAMLMintOptions

    func run() throws { try options.mint(.v2) }
  }
#endif
