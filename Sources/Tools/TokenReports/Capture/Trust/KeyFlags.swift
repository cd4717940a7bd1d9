import Claims
import Federation
import SecurityKeys
import TokenErrors

/// Trust in keys whatever the issuer's name, which `--key` expresses and no trust file can.
struct KeyFlags {
  private var specifications: [String] = []
  private var exceptions: Set<LegacyException> = []
  private var enforces = false

  init(_ entries: [TrustedIssuer], _ writer: inout KeyFileWriter) throws(TokenError) {
    for key in entries.flatMap(\.keys) {
      let specification = try writer.specification(of: key)
      if !specifications.contains(specification) { specifications.append(specification) }
      exceptions.formUnion(key.exceptions)
      enforces = enforces || key.certificateDates == .enforce
    }
  }

  var arguments: [String] {
    specifications.flatMap { ["--key", $0] }
      + exceptions.map(\.name).sorted().flatMap { ["--allow-algorithm", $0] }
      + (enforces ? ["--certificate-dates", "enforce"] : [])
  }

  /// The entries that `claims verify` makes of the arguments.
  func issuers(
    _ files: CapturedFiles, _ pinned: PinnedFormat?
  ) throws(TokenError) -> [TrustedIssuer] {
    var vouching: [(key: TrustedKey, formats: Set<TokenFormat>)] = []
    for specification in specifications {
      for var key in try KeySpecification.keys(specification, files: files) {
        key.exceptions = exceptions
        if enforces { key.certificateDates = .enforce }
        var formats = KeySpecification.defaultFormats(of: specification, key: key.key)
        if case .secret = key.key.material, pinned == .jwt { formats = [.jwt] }
        vouching.append((key, formats))
      }
    }
    return TrustedIssuer.entries(.any, keys: vouching)
  }
}
