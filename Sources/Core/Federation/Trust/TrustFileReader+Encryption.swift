import Settings
import TokenBasics

extension TrustFileReader {
  /// The members for tokens that are encrypted to us.
  mutating func readDecryptionKeys(_ root: SettingsObject) -> [DecryptionKey]? {
    let value = root.value(
      "decryptionKeys",
      "our own keys to which issuers encrypt: private keys (PEM or DER files, not encrypted), for SAML and JWT, or "
        + "`jwk:PATH`, a private JWK, a secret (`oct`) or a set of them; several for a rollover, each that fits is tried",
      .list(.anyText), without: "none: an encrypted token is refused")
    guard let value else { return nil }
    guard let list = value.array else {
      file.refuseSecret(value, "a list of private keys")
      return []
    }
    return list.flatMap { (item) -> [DecryptionKey] in
      guard let specification = item.string else {
        file.refuseSecret(item, "a key file as a string")
        return []
      }
      do throws(TokenError) {
        return try KeySpecification.decryptionKeys(specification, files: files)
      } catch {
        reportUnusable(error, item, expected: "a readable private key")
        return []
      }
    }
  }

  /// One list of names of both kinds (RFC 7518, 4.1 and 5.1), of which there is one of each at least.
  mutating func readEncryptionAlgorithms(_ root: SettingsObject) -> EncryptionAlgorithms? {
    let value = root.value(
      "encryptionAlgorithms",
      "the only algorithms of encrypted JWTs, names of both kinds in one list (RFC 7518): `RSA-OAEP`, `RSA-OAEP-256`, "
        + "`RSA1_5`, `ECDH-ES`, `ECDH-ES+A128KW`, `A128KW`, `A128GCMKW` and their kind, `dir`; `A256GCM`, "
        + "`A128CBC-HS256` and their kind",
      .list(.text(), least: 1),
      without: "all; `RSA1_5` needs `rsa-1_5` among the `algorithms` of the issuer too")
    guard let json = value else { return nil }
    var read = EncryptionAlgorithms(keyManagement: [], content: [])
    for item in json.array ?? [] {
      let name = item.string ?? ""
      if let algorithm = KeyManagement(rawValue: name) {
        read.keyManagement.insert(algorithm)
      } else if let encryption = ContentEncryption(rawValue: name) {
        read.content.insert(encryption)
      } else {
        let known = KeyManagement.allCases.map(\.name) + ContentEncryption.allCases.map(\.name)
        file.report(
          TokenError(
            .unknownAlgorithmName, expected: known.joined(separator: ", "),
            found: TokenError.excerpt(name)), at: item)
      }
    }
    if read.keyManagement.isEmpty || read.content.isEmpty {
      file.refuse(json, "a list with an alg such as RSA-OAEP-256 and an enc such as A256GCM")
    }
    return read
  }
}
