package import LocalFiles
import Octets

/// The test keys of the provider: its own, and that of a second provider, which the service was never told to trust.
package struct ProviderKeys: Sendable {
  package let own: KeptKeyPair
  package let other: KeptKeyPair

  /// New keys.
  ///
  /// - Throws: `key.unreadable` where OpenSSL refuses.
  package init(at now: Instant) throws(TokenError) {
    own = try KeptKeyPair(name: "claims-attack, for tests", at: now)
    other = try KeptKeyPair(name: "claims-attack, another", at: now)
  }

  /// The keys of a file; nil for anything else.
  package init?(_ octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets), let own = KeptKeyPair(json["own"]),
      let other = KeptKeyPair(json["other"])
    else { return nil }
    self.own = own
    self.other = other
  }

  /// What the file holds, which is a secret of the provider.
  package var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.name("own")
      own.write(to: &json)
      json.name("other")
      other.write(to: &json)
    }
    json.endLine()
    return json.bytes
  }
}

/// Which of the keys signs.
package enum ProviderKey: Sendable {
  case own, other
}

extension ProviderKeys {
  func pair(_ key: ProviderKey) -> KeptKeyPair { key == .own ? own : other }

  /// - Throws: `policy.mint-*`.
  func signing(_ key: ProviderKey) throws(TokenError) -> SigningKey {
    let pair = pair(key)
    return try SigningKey(pair.key, certificate: pair.certificate)
  }
}
