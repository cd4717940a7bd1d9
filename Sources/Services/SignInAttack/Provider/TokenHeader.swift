import JSONWebTokens
import LocalFiles
import TokenBasics

/// What an ID token says of its key and signature.
package struct TokenHeader: Sendable {
  /// What signs.
  package enum Signature: Sendable {
    /// The key of the plan.
    case key
    /// A MAC of this secret.
    case secret([UInt8])
    case none
  }

  /// The name of the key (`kid`).
  var keyID: String
  /// Further members.
  var more: [(name: String, value: String)] = []
  var signature = Signature.key

  init(keyID: String = RogueProvider.keyID) { self.keyID = keyID }

  var algorithm: String {
    switch signature {
    case .key: "RS256"
    case .secret: "HS256"
    case .none: "none"
    }
  }
}

/// A key that a token names, or that the key set has, and that is none of the provider's for signatures.
package enum KeyTrick: Sendable, Equatable {
  /// `jku`, `x5u` or `kid` is an address of another key.
  case keySetAddress, certificateAddress, keyIDAddress
  /// `kid` is the path of an empty file, or a query that gives a known secret.
  case keyIDPath, keyIDQuery
  /// The key set has a secret, a key for encryption, a key for another algorithm.
  case publishedSecret, publishedForEncryption, publishedForAnotherAlgorithm

  /// Whether the key set has to be read again for it.
  var isPublished: Bool {
    switch self {
    case .publishedSecret, .publishedForEncryption, .publishedForAnotherAlgorithm: true
    default: false
    }
  }
}

extension RogueProvider {
  /// A secret that anyone can read in the key set.
  private static let publishedSecret = Array("published, and so a secret no more".utf8)
  private static let secretID = "a-secret"
  private static let otherAlgorithmID = "another-algorithm"

  /// The header of a trick.
  func header(_ trick: KeyTrick) -> TokenHeader {
    var header = TokenHeader()
    switch trick {
    case .keySetAddress: header.more = [("jku", configuration.address(Path.keysElsewhere))]
    case .certificateAddress:
      header.more = [("x5u", configuration.address(Path.certificateElsewhere))]
    case .keyIDAddress: header.keyID = configuration.address(Path.keysElsewhere)
    case .keyIDPath:
      header.keyID = "../../../../../../../../dev/null"
      // A MAC fills its secret up with zeros, so this is that of an empty file.
      header.signature = .secret([0])
    case .keyIDQuery:
      header.keyID = "x' UNION SELECT 'known' -- "
      header.signature = .secret(Array("known".utf8))
    case .publishedSecret:
      header.keyID = Self.secretID
      header.signature = .secret(Self.publishedSecret)
    case .publishedForEncryption: header.keyID = keys.other.certificate.publicKey.thumbprint
    case .publishedForAnotherAlgorithm: header.keyID = Self.otherAlgorithmID
    }
    return header
  }

  /// The provider's key set after a roll that went wrong: its key, and three that sign no token of RS256.
  var rolledKeySet: [UInt8] {
    let set = PublishedKey.keySet(
      [
        publishedKey(.own),
        PublishedKey(
          keys.second.certificate.publicKey, keyID: Self.otherAlgorithmID, algorithm: .rsaSHA512),
      ], encryptingTo: [keys.other.certificate.publicKey])
    var json = JSONWriter()
    json.object { json in
      json.member("kty", "oct")
      json.member("kid", Self.secretID)
      json.member("alg", "HS256")
      json.member("k", Base64.encode(Self.publishedSecret, .url))
    }
    let secret = String(decoding: json.bytes.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return Array(
      String(decoding: set, as: UTF8.self).replacing(
        "{\"keys\":[", with: "{\"keys\":[" + secret + ","
      )
      .utf8)
  }

  /// The key that signs the token of a trick.
  func key(of trick: KeyTrick) -> ProviderKey {
    trick == .publishedForAnotherAlgorithm ? .second : .other
  }

  /// A key set as an address (RFC 2397).
  func keySetAddress(_ key: ProviderKey) -> String {
    "data:application/json;base64," + Base64.encode(keySet(key))
  }

  /// A token with another header, and signed as that says.
  ///
  /// - Throws: `policy.mint-*`.
  func rewritten(
    _ token: [UInt8], _ header: TokenHeader, _ key: ProviderKey, type: String = "JWT"
  ) throws(TokenError) -> [UInt8] {
    let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { return token }
    var json = JSONWriter()
    json.object { json in
      json.member("alg", header.algorithm)
      json.member("typ", type)
      json.member("kid", header.keyID)
      for (name, value) in header.more { json.member(named: name, value) }
    }
    let signed = Array(Base64.encode(json.bytes, .url).utf8) + Array(".".utf8) + parts[1]
    let signature: [UInt8] =
      switch header.signature {
      case .key: try keys.signing(key).sign(signed)
      case .secret(let secret):
        try SymmetricKey(bytes: secret).authenticate(signed.span, with: .sha256) ?? []
      case .none: []
      }
    return signed + Array(".".utf8) + Array(Base64.encode(signature, .url).utf8)
  }
}
