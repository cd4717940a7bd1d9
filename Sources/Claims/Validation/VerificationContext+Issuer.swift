package import TokenErrors

extension VerificationContext {
  /// The entry of the trust whose keys vouch for `issuer`, a name in UTF-8, in `format`.
  ///
  /// - Throws: `issuer.missing`, `issuer.untrusted`, `issuer.ambiguous`, `key.none`.
  package mutating func entry(
    forIssuer issuer: ArraySlice<UInt8>, _ format: TokenFormat,
    node: @autoclosure () -> String? = nil
  ) throws(TokenError) -> TrustedIssuer {
    guard !issuer.isEmpty else {
      throw failing(.issuer, TokenError(.issuerMissing, node: node()))
    }
    let match = trust.match(issuer, format)
    if case .untrusted = match {
      throw failing(
        .issuer,
        TokenError(
          .issuerUntrusted, node: node(), expected: trustedNames, found: Self.shown(issuer)))
    }
    pass(.issuer, node: node(), found: Self.shown(issuer))
    switch match {
    case .entry(let entry): return entry
    case .untrusted, .noKey:
      throw failing(
        .key, TokenError(.noKey, node: node(), expected: "a key for \(format)"))
    case .ambiguous(let count):
      throw failing(
        .key,
        TokenError(
          .ambiguousIssuer, node: node(), expected: "one entry for \(format)",
          found: "\(count) entries"))
    }
  }

  /// The first few issuers that are trusted by name.
  private var trustedNames: String {
    let names = trust.issuers.lazy.compactMap { trusted in
      if case .exactly(let name) = trusted.name { name } else { nil }
    }
    return names.prefix(4).joined(separator: " or ")
  }

  private static func shown(_ issuer: ArraySlice<UInt8>) -> String {
    TokenError.excerpt(String(decoding: issuer, as: UTF8.self))
  }
}
