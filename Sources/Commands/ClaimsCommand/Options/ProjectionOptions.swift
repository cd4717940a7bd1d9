#if CommandLine
  import ArgumentParser
  import Federation

  /// Which claims are printed.
  struct ProjectionOptions: ParsableArguments {
    @Option(
      name: .customLong("claims-prefix"),
      help: ArgumentHelp(
        "Print only claim types that begin with this. Repeatable.", valueName: "PREFIX"))
    var prefixes: [String] = []

    @Flag(help: "Cut the prefix off the claim types; needs exactly one --claims-prefix.")
    var stripPrefix = false

    @Flag(name: .customLong("claim-uris"), help: "Show the short claim names of JWT as claim URIs.")
    var claimURIs = false

    @Flag(
      name: .customLong("short-names"),
      help:
        "Show claims by the first type of their row in docs/claim-names.md, such as roles, in every format."
    )
    var shortNames = false

    @Flag(help: "Mask the values of claims that carry a provider's credential.")
    var redact = false

    /// How claims are printed.
    var presentation: ClaimPresentation {
      ClaimPresentation(
        projection: projection, usesClaimURIs: claimURIs, redacts: redact,
        usesShortNames: shortNames)
    }

    /// The projection of the options; nil without any.
    var projection: ClaimProjection? {
      guard let prefix = prefixes.first else { return nil }
      return stripPrefix ? .stripping(prefix) : ClaimProjection(prefixes: prefixes)
    }

    func validate() throws {
      guard !prefixes.contains("") else {
        throw ValidationError("--claims-prefix must not be empty")
      }
      guard !stripPrefix || !prefixes.isEmpty else {
        throw ValidationError("--strip-prefix needs --claims-prefix")
      }
      guard !shortNames || (prefixes.isEmpty && !claimURIs) else {
        throw ValidationError("--short-names excludes --claims-prefix and --claim-uris")
      }
      guard !stripPrefix || prefixes.count == 1 else {
        throw ValidationError(
          "--strip-prefix takes one --claims-prefix: without their prefixes two types could be one")
      }
    }
  }
#endif
