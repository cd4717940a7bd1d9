import Octets
import SecurityKeys
import TokenErrors
import XMLSecurity
import XMLTree

/// The certificates that a token shows, by the fingerprints of their keys. They prove nothing, since
/// any sender can show any certificate; a person compares them with those that are configured.
extension SAMLToken {
  /// Those beside the signatures.
  package var shownBySigners: [String] {
    [response?.element, assertion].compactMap { $0 }.flatMap { element -> [String] in
      guard let signature = try? SignedElement.signature(of: element) else { return [] }
      return Self.fingerprints(in: signature)
    }
  }

  /// Those to whose keys it is encrypted.
  package var shownRecipients: [String] { encrypted.map(Self.fingerprints) ?? [] }

  private static func fingerprints(in element: Element) -> [String] {
    element.descendants(named: DSName.x509Certificate).prefix(4).compactMap { shown in
      guard let der = try? Base64.decode(shown.plainTextBytes(), whiteSpace: .skipped),
        let certificate = try? Certificate(der: der)
      else { return nil }
      return VerificationKey.certificate(certificate).fingerprint
    }
  }
}
