#if CommandLine
  import ArgumentParser
  import Federation
  import SecurityKeys

  /// The legacy algorithms that are let in, each by its name.
  struct LegacyOptions: ParsableArguments {
    @Option(
      name: .customLong("allow-algorithm"),
      help: ArgumentHelp(
        "Let one legacy algorithm in, by name or URI. Repeatable.", valueName: "ALGORITHM"),
      completion: .list(LegacyException.all.map(\.name)))
    var allowed: [String] = []

    /// An algorithm that needs no exception may be named and changes nothing.
    ///
    /// - Throws: `policy.unknown-algorithm-name`.
    func exceptions() throws(TokenError) -> Set<LegacyException> {
      var exceptions: Set<LegacyException> = []
      for name in allowed {
        guard let exception = LegacyException(name) else {
          if LegacyException.isNeedless(name) { continue }
          throw TokenError(
            .unknownAlgorithmName, node: "--allow-algorithm",
            expected: LegacyException.all.map(\.name).joined(separator: ", "),
            found: Arguments.shown(algorithm: name))
        }
        exceptions.insert(exception)
      }
      return exceptions
    }
  }
#endif
