package import LocalFiles
import TokenBasics

/// The test keys: of the provider, of the second one that a service may be told to trust, and one that no service was told
/// to trust.
package struct ProviderKeys: Sendable {
  package let own: KeptKeyPair
  package let second: KeptKeyPair
  package let other: KeptKeyPair

  /// New keys.
  ///
  /// - Throws: `key.unreadable` where OpenSSL refuses.
  package init(at now: Instant) throws(TokenError) {
    own = try KeptKeyPair(name: "claims-attack, for tests", at: now)
    second = try KeptKeyPair(name: "claims-attack, second, for tests", at: now)
    other = try KeptKeyPair(name: "claims-attack, another", at: now)
  }

  /// The keys of a file; nil for anything else.
  package init?(_ octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets), let own = KeptKeyPair(json["own"]),
      let second = KeptKeyPair(json["second"]), let other = KeptKeyPair(json["other"])
    else { return nil }
    self.own = own
    self.second = second
    self.other = other
  }

  /// What the file holds, which is a secret of the provider.
  package var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.name("own")
      own.write(to: &json)
      json.name("second")
      second.write(to: &json)
      json.name("other")
      other.write(to: &json)
    }
    json.endLine()
    return json.bytes
  }
}

/// Which of the keys signs.
package enum ProviderKey: Sendable {
  case own, second, other
}

/// The providers that a service may have been told to trust.
package enum ProviderParty: Sendable, CaseIterable {
  case first, second

  /// The key with which it signs.
  package var key: ProviderKey { self == .first ? .own : .second }

  /// What stands before the paths of its addresses.
  package var prefix: String { self == .first ? "" : "/second" }

  /// Whose address a path is, and the rest of it.
  static func split(_ path: String) -> (party: Self, path: String) {
    let prefix = Self.second.prefix
    guard path.hasPrefix(prefix + "/") else { return (.first, path) }
    return (.second, String(path.dropFirst(prefix.count)))
  }
}

extension ProviderKeys {
  func pair(_ key: ProviderKey) -> KeptKeyPair {
    switch key {
    case .own: own
    case .second: second
    case .other: other
    }
  }

  /// - Throws: `policy.mint-*`.
  func signing(_ key: ProviderKey) throws(TokenError) -> SigningKey {
    let pair = pair(key)
    return try SigningKey(pair.key, certificate: pair.certificate)
  }
}
