#if CommandLine
  import ArgumentParser
  import Federation

  struct MintSAML11Command: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "saml11",
      abstract: "Issues a SAML 1.1 assertion, alone, in a response or in a WS-Trust response.")

    @OptionGroup var options: SAMLMintOptions

    func run() throws { try options.mint(.v1) }
  }
#endif
