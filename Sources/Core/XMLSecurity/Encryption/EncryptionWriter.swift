import Octets
package import SecurityKeys
package import TokenBasics
package import XMLTree

/// Encrypts an element to one recipient (XML Encryption 1.1, 3): EncryptedData contains the content
/// key, itself encrypted.
///
/// The content key, the IV and the sender's key of an agreement are new each time.
package struct EncryptionWriter: Sendable {
  private let recipient: EncryptionRecipient

  package init(_ recipient: EncryptionRecipient) { self.recipient = recipient }

  /// The `xenc:EncryptedData` of `element`, which declares every prefix that it uses.
  ///
  /// - Throws: `policy.mint-encryption`.
  package func encryptedData(_ element: XMLFragment) throws(TokenError) -> XMLFragment {
    let cipher = recipient.cipher
    let key = cipher.newKey()
    guard let value = cipher.encrypt(element.octets, key: key) else {
      throw TokenError(.mintEncryption, found: cipher.name)
    }
    return try XMLWriter.fragment(
      XEName.encryptedData, [(DSName.type, XEName.elementType)], prefixes: Self.prefixes
    ) { writer throws(TokenError) in
      try writer.element(XEName.encryptionMethod, [(DSName.algorithm, cipher.uri)])
      try writer.element(DSName.keyInfo) { writer throws(TokenError) in
        try writer.element(XEName.encryptedKey) { writer throws(TokenError) in
          switch recipient.keyEncryption {
          case .rsaOAEP:
            try writeTransport(of: key, .sha1, XEName.oaepMGF1SHA1, to: &writer)
          case .rsaOAEPSHA256:
            try writeTransport(of: key, .sha256, XEName.oaep, to: &writer)
          case .ecdhES:
            try writeWrap(of: key, to: &writer)
          }
        }
      }
      try Self.writeValue(value, to: &writer)
    }
  }

  private static let prefixes = [
    XEName.namespace: "xenc", XEName.namespace11: "xenc11", XEName.signature11: "dsig11",
    DSName.namespace: "ds",
  ]

  private static func writeValue(
    _ value: [UInt8], to writer: inout XMLWriter
  ) throws(TokenError) {
    try writer.element(XEName.cipherData) { writer throws(TokenError) in
      try writer.element(XEName.cipherValue, text: Base64.encode(value))
    }
  }

  /// RSA-OAEP (XML Encryption 1.1, 5.5.2). Default values are written explicitly.
  private func writeTransport(
    of key: [UInt8], _ digest: DigestAlgorithm, _ uri: String, to writer: inout XMLWriter
  ) throws(TokenError) {
    let transport = KeyTransport.oaep(digest: digest, mask: digest, label: [])
    guard let value = recipient.certificate.publicKey.encrypt(key, transport) else {
      throw TokenError(.mintEncryption, found: recipient.keyEncryption.name)
    }
    try writer.element(
      XEName.encryptionMethod, [(DSName.algorithm, uri)]
    ) { writer throws(TokenError) in
      try writer.element(DSName.digestMethod, [(DSName.algorithm, digest.uri)])
      // The older name implies its mask.
      if uri == XEName.oaep {
        try writer.element(XEName.mask, [(DSName.algorithm, XEName.maskPrefix + digest.name)])
      }
    }
    try SignatureWriter.writeKeyInfo(recipient.certificate, to: &writer)
    try Self.writeValue(value, to: &writer)
  }

  /// ECDH-ES, ConcatKDF with SHA-256 and an AES key wrap of the cipher's strength (XML Encryption 1.1,
  /// 5.6.4, 5.4.1, 5.7.2).
  private func writeWrap(of key: [UInt8], to writer: inout XMLWriter) throws(TokenError) {
    let refused = TokenError(.mintEncryption, found: recipient.keyEncryption.name)
    let kind = PrivateKey.NewKind(onCurveOf: recipient.certificate.publicKey)
    guard let kind, let wrap = KeyWrap.allCases.first(where: { $0.keyLength == key.count }),
      let sender = try? PrivateKey(generating: kind),
      let (curve, point) = sender.publicKey.curveAndPoint,
      let wrapping = sender.agree(
        with: recipient.certificate.publicKey,
        ConcatKDF(digest: .sha256, otherInfo: Array(wrap.uri.utf8)), length: wrap.keyLength),
      let value = wrap.wrap(key, with: wrapping)
    else { throw refused }
    try writer.element(XEName.encryptionMethod, [(DSName.algorithm, wrap.uri)])
    try writer.element(DSName.keyInfo) { writer throws(TokenError) in
      try writer.element(
        XEName.agreementMethod, [(DSName.algorithm, XEName.ellipticAgreement)]
      ) { writer throws(TokenError) in
        try Self.writeDerivation(for: wrap, to: &writer)
        try writer.element(XEName.originatorKeyInfo) { writer throws(TokenError) in
          try writer.element(XEName.keyValue) { writer throws(TokenError) in
            try writer.element(XEName.ecKeyValue) { writer throws(TokenError) in
              try writer.element(XEName.namedCurve, [(DSName.uri, curve)])
              try writer.element(XEName.publicKey, text: Base64.encode(point))
            }
          }
        }
        try writer.element(XEName.recipientKeyInfo) { writer throws(TokenError) in
          try SignatureWriter.writeX509Data(recipient.certificate, to: &writer)
        }
      }
    }
    try Self.writeValue(value, to: &writer)
  }

  /// The KDF input includes the key's purpose (NIST SP 800-56A, 5.8.1.2), but not the parties. The
  /// first octet of each bit string is 0: no padding bits.
  private static func writeDerivation(
    for wrap: KeyWrap, to writer: inout XMLWriter
  ) throws(TokenError) {
    let unpadded = "00"
    let values = [unpadded + Hex.encode(Array(wrap.uri.utf8)), unpadded, unpadded]
    try writer.element(
      XEName.keyDerivationMethod, [(DSName.algorithm, XEName.concatKDF)]
    ) { writer throws(TokenError) in
      try writer.element(
        XEName.concatParameters, zip(XEName.otherInfo, values).map { ($0, $1) }
      ) { writer throws(TokenError) in
        try writer.element(DSName.digestMethod, [(DSName.algorithm, DigestAlgorithm.sha256.uri)])
      }
    }
  }
}
