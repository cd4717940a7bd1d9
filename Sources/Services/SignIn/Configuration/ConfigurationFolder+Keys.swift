package import HTTPExchange
package import LocalFiles
package import SecurityKeys

extension ConfigurationFolder {
  /// The secret in a file.
  ///
  /// - Throws: ``valueCode`` for none.
  package func secret(_ name: String) throws(TokenError) -> Secret {
    guard let text = SecretText.of(try octets(name)) else {
      throw TokenError(Self.valueCode, node: name, expected: "a secret", found: "no text")
    }
    return Secret(text)
  }

  /// The keys that sign metadata, from a file of one.
  func signers(_ name: String) throws(TokenError) -> [TrustedKey] {
    [TrustedKey(try VerificationKey(pemOrDER: octets(name)))]
  }

  /// The certificate that a file of such a folder holds.
  ///
  /// - Throws: ``valueCode`` for another kind of key, `key.*`.
  package static func certificate(_ octets: [UInt8]) throws(TokenError) -> Certificate {
    let key = try VerificationKey(pemOrDER: octets)
    guard case .certificate(let certificate) = key.material else {
      throw TokenError(valueCode, expected: "a certificate", found: key.kindName)
    }
    return certificate
  }
}
