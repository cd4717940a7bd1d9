/// The result of looking in a ``Trust`` for the entry that vouches for tokens of an issuer.
enum IssuerMatch {
  /// The one entry whose keys vouch for the issuer's tokens of the format.
  case entry(TrustedIssuer)
  /// No entry names the issuer.
  case untrusted
  /// Entries name the issuer, but none has a key for the format.
  case noKey
  /// So many entries of one source vouch for the format.
  case ambiguous(Int)
}

extension Trust {
  /// Looks for the entry that vouches for tokens of `issuer`, a name in UTF-8, in `format`.
  func match(_ issuer: ArraySlice<UInt8>, _ format: TokenFormat) -> IssuerMatch {
    // An empty trust lacks keys; that it lacks the issuer as well is no news.
    var isNamed = issuers.isEmpty
    var vouching: TrustedIssuer?
    var count = 0
    forEachEntry(for: issuer) { entry in
      isNamed = true
      guard entry.vouches(for: format), !entry.keys.isEmpty else { return }
      count += 1
      vouching = vouching ?? entry
    }
    guard isNamed else { return .untrusted }
    guard let vouching else { return .noKey }
    return count == 1 ? .entry(vouching) : .ambiguous(count)
  }
}
