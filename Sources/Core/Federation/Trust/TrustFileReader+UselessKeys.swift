import SecurityKeys
import Settings
import TokenBasics

extension TrustFileReader {
  /// Says what keys of one text cannot do. Of a set one key that verifies is enough.
  mutating func noteUseless(
    _ keys: [(TrustedKey, Set<TokenFormat>)], at json: JSONValue
  ) {
    let isOneOfSet = keys.contains { key, formats in
      key.algorithms.map { $0.contains(where: key.key.accepts) } ?? true
        && !Self.possible(key).isDisjoint(with: formats)
    }
    for (key, formats) in keys {
      if keys.count == 1 || !isOneOfSet { note(uselessnessOf: key, for: formats, at: json) }
      guard let contested = key.origin?.contested, !contested.isEmpty else { continue }
      warnings.append(
        "\(file.place(json)): several keys have the kid of \(key.key.kindName) and fit "
          + "\(contested.map(\.name).joined(separator: ", ")): a token that names it is refused")
    }
  }

  private static func possible(_ key: TrustedKey) -> Set<TokenFormat> {
    key.key.isSecret ? [.swt, .jwt] : [.saml11, .saml20, .jwt, .sdjwt]
  }

  /// Says of a key why it can verify nothing, or not all that the entry names it for.
  private mutating func note(
    uselessnessOf key: TrustedKey, for formats: Set<TokenFormat>, at json: JSONValue
  ) {
    let shown = "\(key.key.kindName)" + (key.keyID.map { ", kid \(TokenError.excerpt($0))" } ?? "")
    // What a JWK set cannot give it says itself.
    if let missing = key.key.exceptions.first(where: { !key.exceptions.contains($0) }),
      json.string.map({ !$0.hasPrefix("jwks:") }) ?? true
    {
      passedOver.append(
        TokenError(
          missing == .hmacShortKey ? .hmacKeyLength : .weakKey, node: file.place(json),
          expected: "a stronger key, or \(missing) among the algorithms", found: shown))
      return
    }
    let possible = Self.possible(key)
    if !formats.isEmpty, possible.isDisjoint(with: formats) {
      passedOver.append(useless(json, "a key for \(Self.names(formats))", shown))
    } else if !formats.isSubset(of: possible) {
      warnings.append(
        "\(file.place(json)): \(shown) verifies nothing in \(Self.names(formats.subtracting(possible)))"
      )
    }
    if let listed = key.algorithms, !listed.contains(where: key.key.accepts) {
      let names = listed.map(\.name).joined(separator: ", ")
      passedOver.append(
        useless(
          json, names.isEmpty ? "an algorithm that the key allows" : "a key for \(names)", shown))
    }
  }

  private func useless(_ json: JSONValue, _ expected: String, _ found: String) -> TokenError {
    TokenError(
      .algorithmKeyMismatch, node: file.place(json), expected: expected, found: found,
      hint:
        "the key verifies nothing here: correct formats or algorithms of the issuer, or name another "
        + "key")
  }

  private static func names(_ formats: Set<TokenFormat>) -> String {
    formats.map(\.name).sorted().joined(separator: ", ")
  }
}
