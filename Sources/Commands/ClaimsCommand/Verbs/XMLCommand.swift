#if CommandLine
  import ArgumentParser

  struct XMLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "xml", abstract: "Works with any XML document.",
      subcommands: [XMLVerifyCommand.self, XMLCanonicalizeCommand.self, XMLDecryptCommand.self])
  }
#endif
