#if CommandLine
  import ArgumentParser
  import Federation

  struct MintSAML11Command: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "saml11",
      abstract: "Issues a SAML 1.1 assertion, alone, in a response or in a WS-Trust response.",
      discussion: """
        Examples:
          claims mint saml11 --issuer https://idp.example/ --audience urn:app \\
            --subject ada --signing-key idp.key --certificate idp.crt
        """)

    @OptionGroup var options: SAMLMintOptions

    func run() throws { try options.mint(.v1) }
  }
#endif
