#if CommandLine
  import ArgumentParser

  struct MetadataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "metadata", abstract: "Looks at SAML and WS-Federation metadata.",
      subcommands: [MetadataShowCommand.self, MetadataLintCommand.self])
  }
#endif
