package import SecurityKeys
package import TokenErrors
import XMLSecurity
package import XMLTree

/// The parts of a token, for a person to see. A verdict reads them from what was digested.
extension SAMLToken {
  /// The assertion that is read, unless it is encrypted.
  package var shownAssertion: Element? { assertion }

  /// The `EncryptedAssertion`, or the `EncryptedData` of a WS-Trust response.
  package var shownCiphertext: Element? { encrypted }

  /// Whether the element is an encrypted assertion.
  package static func isEncrypted(_ element: Element) -> Bool {
    element.isNamed(SAML2Name.encryptedAssertion)
  }

  /// The assertion that is encrypted, decrypted once more as the verdict did it. Only for a token whose checks
  /// proved the origin of the plaintext: any other use would reveal what the verdict conceals.
  ///
  /// - Parameter exceptions: Those of the trusted keys.
  package func decryptedAssertion(
    _ keys: [PrivateKey], exceptions: Set<LegacyException>, limits: Limits
  ) -> Element? {
    guard let encrypted else { return nil }
    var decryption = Decryption(
      Decryptor(keys: keys, exceptions: exceptions, limits: limits), limits)
    guard let data = try? Decryption.data(of: encrypted, limits),
      let plaintext = try? decryption.plaintext(of: data)
    else { return nil }
    var parsedCount = 0
    return try? decryption.element(
      in: plaintext, insideOf: encrypted, named: assertionName, parsedCount: &parsedCount)
  }
}
