import Octets
package import SecurityKeys
package import TokenBasics

extension VerificationContext {
  /// The entry of the trust whose keys vouch for `issuer`, a name in UTF-8, in `format`.
  ///
  /// - Throws: `issuer.missing`, `issuer.untrusted`, `issuer.ambiguous`, `key.none`.
  package mutating func entry(
    forIssuer issuer: ArraySlice<UInt8>, _ format: TokenFormat,
    node: @autoclosure () -> String? = nil
  ) throws(TokenError) -> TrustedIssuer {
    guard !issuer.isEmpty else {
      throw failing(
        .issuer, TokenError(.issuerMissing, node: node()))
    }
    let match = trust.match(issuer, format)
    if case .untrusted = match {
      throw failing(
        .issuer,
        TokenError(
          .issuerUntrusted, node: node(), expected: trustedNames, found: Self.shown(issuer),
          hint: hint(forUntrusted: issuer)))
    }
    pass(.issuer, node: node(), found: Self.shown(issuer))
    switch match {
    case .entry(let entry): return entry
    case .untrusted, .noKey:
      throw failing(
        .key,
        TokenError(
          .noKey, node: node(), expected: "a key for \(format)", found: keysOtherwise(issuer),
          hint: hint(forMissingKey: issuer, format)))
    case .ambiguous(let count):
      throw failing(
        .key,
        TokenError(
          .ambiguousIssuer, node: node(), expected: "one entry for \(format)",
          found: "\(count) entries"))
    }
  }

  /// How the name differs from one that is trusted, where that is easily overlooked.
  private func hint(forUntrusted issuer: ArraySlice<UInt8>) -> String? {
    let found = String(decoding: issuer, as: UTF8.self)
    for case .exactly(let name) in trust.issuers.lazy.map(\.name) {
      if let difference = NameDifference(found, name) { return difference.hint }
    }
    return nil
  }

  /// The formats that the issuer's keys vouch for.
  private func keysOtherwise(_ issuer: ArraySlice<UInt8>) -> String? {
    let formats = trust.entries(for: issuer).filter { !$0.keys.isEmpty }.flatMap(\.formats)
    guard !formats.isEmpty else { return nil }
    return "keys for " + Set(formats.map(\.name)).sorted().joined(separator: ", ")
  }

  /// What to do where the issuer has keys, for other formats.
  private func hint(
    forMissingKey issuer: ArraySlice<UInt8>, _ format: TokenFormat
  ) -> String? {
    let keys = trust.entries(for: issuer).flatMap(\.keys)
    guard !keys.isEmpty else { return nil }
    let hasSecret = keys.contains { $0.key.isSecret }
    let naming = "name the format in the trust file, \"formats\": [\"\(format)\"]"
    switch format {
    case .jwt where hasSecret:
      return "a shared secret vouches for swt alone unless it is told otherwise: for HS256 and its "
        + "kind \(naming), or pin the format jwt beside the trusted keys"
    case .swt where !hasSecret:
      return "a Simple Web Token has a MAC: name the secret that the issuer shares with you, "
        + "hmac-file:PATH"
    case .saml11, .saml20:
      return hasSecret
        ? "a shared secret signs no SAML here: name the issuer's certificate or public key"
        : "a JWK set vouches for jwt alone unless it is told otherwise: \(naming), or name the "
          + "certificate"
    case .sdjwt:
      return
        "a key vouches for an SD-JWT only where it is told to: \(naming), or pin the format sdjwt beside the trusted keys"
    default: return naming
    }
  }

  /// The keys of the entry for a name that nothing proves, or of the first for the format: to spend as much time as
  /// they would take, never to rely on.
  package func decoyKeys(forIssuer issuer: ArraySlice<UInt8>?, _ format: TokenFormat) -> KeyRing {
    if let issuer, case .entry(let entry) = trust.match(issuer, format) { return entry.ring }
    return trust.issuers.first { $0.formats.contains(format) }?.ring ?? KeyRing([])
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

/// How two names that are not the same differ, where a person easily overlooks it. Names are
/// compared byte for byte; this only chooses the words.
package enum NameDifference {
  case whiteSpace
  case slash
  case letterCase
  case scheme

  /// Nil for the same name and for quite another one.
  package init?(_ found: String, _ expected: String) {
    guard !found.hasSameBytes(as: expected) else { return nil }
    let (found, expected) = (found.utf8[...], expected.utf8[...])
    if Self.trimmed(found).elementsEqual(Self.trimmed(expected)) {
      self = .whiteSpace
    } else if Self.unslashed(found).elementsEqual(Self.unslashed(expected)) {
      self = .slash
    } else if found.lazy.map(ASCII.lowercased).elementsEqual(
      expected.lazy.map(ASCII.lowercased))
    {
      self = .letterCase
    } else if Self.unschemed(found).elementsEqual(Self.unschemed(expected)) {
      self = .scheme
    } else {
      return nil
    }
  }

  /// The hint for the first of the names found that hardly differs from an expected one.
  package static func hint(_ found: [String], _ expected: [String]) -> String? {
    for name in found {
      for other in expected {
        if let difference = Self(name, other) { return difference.hint }
      }
    }
    return nil
  }

  package var hint: String {
    let how =
      switch self {
      case .whiteSpace:
        "white space around the name, such as a line end (\\n), which is part of it (SAML Core "
          + "1.3.1)"
      case .slash: "a slash at the end"
      case .letterCase: "upper and lower case"
      case .scheme: "https and http"
      }
    return "the two differ in \(how): names are compared byte for byte; have the sender corrected, "
      + "or "
      + "configure the name as it is sent"
  }

  private static func trimmed(_ name: Substring.UTF8View) -> Substring.UTF8View {
    var name = name.drop { ASCII.isWhiteSpace($0) }
    while let last = name.last, ASCII.isWhiteSpace(last) { name.removeLast() }
    return name
  }

  private static func unslashed(_ name: Substring.UTF8View) -> Substring.UTF8View {
    name.last == UInt8(ascii: "/") ? name.dropLast() : name
  }

  private static func unschemed(_ name: Substring.UTF8View) -> Substring.UTF8View {
    for scheme in ["https://", "http://"] where name.starts(with: scheme.utf8) {
      return name.dropFirst(scheme.utf8.count)
    }
    return name
  }
}
