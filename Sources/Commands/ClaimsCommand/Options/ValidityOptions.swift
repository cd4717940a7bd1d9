#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation

  /// The beginning of a token's validity, in the formats that have one.
  struct ValidityOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "From when on the token is valid, written as --at is; default 60 seconds before it is issued.",
        valueName: "INSTANT"))
    var notBefore: String?

    /// The beginning in the options, if any.
    func beginning() throws(CommandFailure) -> Instant? {
      guard let notBefore else { return nil }
      return try Arguments.instant(notBefore, of: "--not-before")
    }
  }
#endif
