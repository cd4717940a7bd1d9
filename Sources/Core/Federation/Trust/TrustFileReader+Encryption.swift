import TokenBasics

extension TrustFileReader {
  /// The members for tokens that are encrypted to us.
  mutating func readDecryptionKeys(_ json: JSONValue) -> [DecryptionKey] {
    guard let list = json.array else {
      errors.append(valueError(json, "a list of private keys"))
      return []
    }
    return list.flatMap { (item) -> [DecryptionKey] in
      guard let specification = item.string else {
        errors.append(valueError(item, "a key file as a string"))
        return []
      }
      do throws(TokenError) {
        return try KeySpecification.decryptionKeys(specification, files: files)
      } catch {
        errors.append(unusableFile(error, item, expected: "a readable private key"))
        return []
      }
    }
  }

  /// One list of names of both kinds (RFC 7518, 4.1 and 5.1), of which there is one of each at least.
  mutating func readEncryptionAlgorithms(_ json: JSONValue) -> EncryptionAlgorithms {
    var read = EncryptionAlgorithms(keyManagement: [], content: [])
    for item in json.array ?? [] {
      let name = item.string ?? ""
      if let algorithm = KeyManagement(rawValue: name) {
        read.keyManagement.insert(algorithm)
      } else if let encryption = ContentEncryption(rawValue: name) {
        read.content.insert(encryption)
      } else {
        let known = KeyManagement.allCases.map(\.name) + ContentEncryption.allCases.map(\.name)
        errors.append(
          TokenError(
            .unknownAlgorithmName, node: place(item), expected: known.joined(separator: ", "),
            found: TokenError.excerpt(name)))
      }
    }
    if read.keyManagement.isEmpty || read.content.isEmpty {
      errors.append(
        valueError(json, "a list with an alg such as RSA-OAEP-256 and an enc such as A256GCM"))
    }
    return read
  }
}
