#if CommandLine
  import ArgumentParser
  import Federation

  struct MintSAML20Command: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "saml20",
      abstract: "Issues a SAML 2.0 assertion, alone, in a response or in a WS-Trust response.",
      discussion: """
        Examples:
          claims mint saml20 --issuer https://idp.example/ --audience urn:app \\
            --subject ada --signing-key idp.key --certificate idp.crt --wrap response
        """)

    @OptionGroup var options: SAMLMintOptions

    @Option(
      help: ArgumentHelp(
        """
        The session at the issuer, named at logout; default the identifier of the assertion with \
        -session behind it.
        """, valueName: "ID"))
    var sessionIndex: String?

    @Option(
      help: ArgumentHelp(
        """
        The NameFormat of the attributes: uri, basic, unspecified, another URI, or none to leave it \
        out. Default uri for a name that is a URI, basic for any other.
        """, valueName: "FORMAT"))
    var attributeNameFormat: AttributeNameFormatArgument?

    func run() throws {
      try options.mint(.v2) { delivery in
        delivery.sessionIndex = sessionIndex
        if let attributeNameFormat { delivery.attributeNameFormat = attributeNameFormat.format }
      }
    }
  }
#endif
