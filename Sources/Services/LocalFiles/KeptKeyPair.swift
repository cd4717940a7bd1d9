package import SecurityKeys
package import TokenBasics

/// A private key with its certificate, as a file of keys has it: two texts of base64.
package struct KeptKeyPair: Sendable {
  package let key: PrivateKey
  package let certificate: Certificate

  /// A new RSA key, good for two years.
  ///
  /// - Throws: `key.unreadable` where OpenSSL refuses.
  package init(name: String, at now: Instant) throws(TokenError) {
    key = try PrivateKey(generating: .rsa2048)
    certificate = try Certificate(
      selfSigning: key, name: name, notBefore: now.advanced(bySeconds: -3_600),
      notAfter: now.advanced(bySeconds: 63_072_000))
  }

  /// The pair of an object; nil for anything else.
  package init?(_ json: JSONValue?) {
    guard let key = Self.octets(json?["key"]), let certificate = Self.octets(json?["certificate"]),
      let read = try? PrivateKey(pemOrDER: key), let shown = try? Certificate(der: certificate)
    else { return nil }
    self.key = read
    self.certificate = shown
  }

  /// Writes the pair as an object.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("key", Base64.encode(key.exportedDER))
      json.member("certificate", Base64.encode(certificate.der))
    }
  }

  private static func octets(_ json: JSONValue?) -> [UInt8]? {
    json?.string.flatMap { try? Base64.decode(Array($0.utf8)) }
  }
}
