package import SecurityKeys
import TokenBasics

/// A public key as an entry of a JWK set that we publish (RFC 7517, 4).
package struct PublishedKey: Sendable {
  /// The key.
  package let key: PublicKey
  /// The name by which signatures refer to it (`kid`).
  package let keyID: String
  /// The one algorithm that it is for.
  package let algorithm: SignatureAlgorithm

  /// An entry.
  ///
  /// - Parameter keyID: Nil for the key's thumbprint.
  package init(_ key: PublicKey, keyID: String? = nil, algorithm: SignatureAlgorithm) {
    self.key = key
    self.keyID = keyID ?? key.thumbprint
    self.algorithm = algorithm
  }

  /// A JWK set of these keys (RFC 7517, 5).
  ///
  /// - Parameter recipients: Keys to which others encrypt, each by the algorithms of its type.
  package static func keySet(
    _ keys: [Self], encryptingTo recipients: [PublicKey] = []
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.name("keys")
      json.array { json in
        keys.forEach { $0.write(to: &json) }
        for key in recipients {
          json.object { json in
            for (name, value) in key.jsonWebKeyMembers + [("use", "enc"), ("kid", key.thumbprint)] {
              json.member(named: name, value)
            }
          }
        }
      }
    }
    return json.bytes
  }

  private func write(to json: inout JSONWriter) {
    json.object { json in
      let own = [("use", "sig"), ("alg", algorithm.nameInJOSE), ("kid", keyID)]
      for (name, value) in key.jsonWebKeyMembers + own {
        json.member(named: name, value)
      }
    }
  }
}

extension PostQuantumKey {
  /// Type, algorithm and material as members of a JSON Web Key (RFC 9964, 3).
  package var jsonWebKeyMembers: [(name: String, value: String)] {
    [("kty", "AKP"), ("alg", algorithm.nameInJOSE), ("pub", Base64.encode(octets, .url))]
  }
}

extension PublicKey {
  /// Type and material as members of a JSON Web Key (RFC 7518, 6.2.1 and 6.3.1; RFC 8037, 2), in the order of their
  /// names but for `kty`, which comes first.
  package var jsonWebKeyMembers: [(name: String, value: String)] {
    func encoded(_ octets: some Sequence<UInt8>) -> String { Base64.encode(Array(octets), .url) }
    switch kind {
    case .rsa:
      let components = rsaComponents
      return [
        ("kty", "RSA"), ("e", encoded(components?.exponent ?? [])),
        ("n", encoded(components?.modulus ?? [])),
      ]
    case .ec(let width):
      let curve = width == 32 ? "P-256" : width == 48 ? "P-384" : "P-521"
      // A SubjectPublicKeyInfo ends with the point.
      let der = der
      return [
        ("kty", "EC"), ("crv", curve), ("x", encoded(der.suffix(2 * width).prefix(width))),
        ("y", encoded(der.suffix(width))),
      ]
    case .ed448: return [("kty", "OKP"), ("crv", "Ed448"), ("x", encoded(der.suffix(57)))]
    case .ed25519, .x25519:
      return [
        ("kty", "OKP"), ("crv", kind == .ed25519 ? "Ed25519" : "X25519"),
        ("x", encoded(der.suffix(32))),
      ]
    }
  }

  /// The SHA-256 thumbprint of the key, which names it wherever it is published (RFC 7638, 3).
  package var thumbprint: String {
    var json = JSONWriter()
    json.object { json in
      // The members in the order of their names, without white space.
      for (name, value) in jsonWebKeyMembers.sorted(by: { $0.name < $1.name }) {
        json.member(named: name, value)
      }
    }
    let octets = json.bytes
    return Base64.encode(DigestAlgorithm.sha256.digest(of: octets) ?? octets, .url)
  }
}
