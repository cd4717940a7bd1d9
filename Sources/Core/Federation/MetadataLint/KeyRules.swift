import SAML
import XMLTree

/// Rules about a `KeyDescriptor` and its certificates.
enum KeyRules {
  typealias Check = LintCheck<LintedKey>

  static let all: [Check] = [
    Check(
      50, .warning, "a key is for a use that does not exist",
      advice: "signing, encryption, or no use for both; the key is not used"
    ) { subject in
      subject.use == nil
        ? [
          .init(
            subject.element, attribute: "use",
            found: subject.element.attribute(MetadataName.use))
        ] : []
    },
    Check(
      51, .info, "a key does not say what it is for",
      advice: "it counts for signing and encryption; say which is meant"
    ) { $0.use == .both ? [.init($0.element)] : [] },
    Check(
      52, .error, "a key comes without a certificate",
      advice: "add X509Data with an X509Certificate; other forms of KeyInfo are not read"
    ) { $0.certificates.isEmpty ? [.init($0.element)] : [] },
    Check(
      53, .error, "a certificate cannot be read or used",
      advice: "one DER certificate in base64, of an RSA key or one on P-256, P-384 or P-521"
    ) { subject in
      subject.certificates.compactMap {
        guard case .failure(let error) = $0.key else { return nil }
        return .init($0.element, found: error.code.rawValue)
      }
    },
    Check(
      54, .warning, "a certificate has expired",
      advice: "renew it; other software may refuse the key"
    ) { subject in
      certificates(subject) { $0.notAfter <= subject.now }
    },
    Check(
      55, .warning, "a certificate expires within 30 days",
      advice: "publish the next one beside it now"
    ) { subject in
      certificates(subject) {
        $0.notAfter > subject.now && $0.notAfter <= subject.now.advanced(bySeconds: 30 * 86_400)
      }
    },
    Check(
      56, .warning, "a certificate is not valid yet",
      advice: "right before a rollover; otherwise compare the clocks"
    ) { subject in certificates(subject) { $0.notBefore > subject.now } },
    Check(
      57, .error, "an RSA key is shorter than 2048 bits",
      advice: "make a new one; this one is refused unless rsa-small-modulus is allowed"
    ) { excepted($0, .rsaSmallModulus) },
    Check(
      58, .warning, "an RSA key has an exponent below 65537",
      advice: "make a new one; this one is refused unless rsa-small-exponent is allowed"
    ) { excepted($0, .rsaSmallExponent) },
    Check(
      59, .warning, "an X509Data has several certificates",
      advice:
        "only the one that issued no other is taken as the key; give each key its own KeyDescriptor"
    ) { subject in
      subject.certificates.filter { $0.count > 1 }.map { .init($0.element) }
    },
  ]

  private static func certificates(
    _ subject: LintedKey, _ isWrong: (Certificate) -> Bool
  ) -> [Check.Hit] {
    subject.certificates.compactMap { entry in
      guard let certificate = entry.certificate, isWrong(certificate) else { return nil }
      return .init(
        entry.element,
        found: "\(certificate.notBefore.rfc3339) to \(certificate.notAfter.rfc3339)")
    }
  }

  private static func excepted(_ subject: LintedKey, _ exception: LegacyException) -> [Check.Hit] {
    subject.certificates.compactMap { entry in
      guard let key = try? entry.key.get() else {
        // Below 1024 bits no exception allows the key.
        if exception == .rsaSmallModulus, case .failure(let error) = entry.key,
          error.reason == .smallModulus
        {
          return .init(entry.element, found: error.found)
        }
        return nil
      }
      return key.exceptions.contains(exception) ? .init(entry.element, found: key.kindName) : nil
    }
  }
}
