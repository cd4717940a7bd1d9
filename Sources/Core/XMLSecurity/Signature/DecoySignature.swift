import Instants
import Octets
import SecurityKeys
import TokenErrors
import XMLTree

/// A signature that no key made, to spend the time that refusing one takes.
enum DecoySignature {
  /// Reads the signature and tries `keys` on it.
  static func refuse(_ keys: KeyRing, at now: Instant, _ limits: Limits) {
    guard let key = keys.keys.first?.key, let form = form(of: key), let element else { return }
    _ = try? Signature(reading: element, allowsObjects: false, limits: limits)
    guard let signedInfo = try? element.children().first else { return }
    let octets = Canonicalizer.octets(signedInfo.subtree, CanonicalizationMethod(.exclusive))
    // Below any modulus and order, so that no key refuses it unread.
    let value = [0] + [UInt8](repeating: 0x42, count: form.count - 1)
    _ = try? keys.match(value, over: octets.span, form.algorithm, at: now)
  }

  /// The algorithm that issuers use with such a key, and the length of its value.
  private static func form(
    of key: VerificationKey
  ) -> (algorithm: SignatureAlgorithm, count: Int)? {
    switch key.publicKey?.kind {
    case .rsa(let bits, _): (.rsaSHA256, (bits + 7) / 8)
    case .ec(48): (.ecdsaSHA384, 96)
    case .ec(66): (.ecdsaSHA512, 132)
    case .ec(let width): (.ecdsaSHA256, 2 * width)
    case .ed25519: (.ed25519, 64)
    case nil: nil
    }
  }

  private static let element: Element? = {
    let digest = String(repeating: "A", count: 43) + "="
    let value = String(repeating: "A", count: 342) + "=="
    let text = """
      <Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><CanonicalizationMethod \
      Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><SignatureMethod \
      Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/><Reference URI="#_d"><Transforms><Transform \
      Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/><Transform \
      Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/></Transforms><DigestMethod \
      Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><DigestValue>\(digest)</DigestValue></Reference></SignedInfo>\
      <SignatureValue>\(value)</SignatureValue></Signature>
      """
    return try? Document(parsing: Array(text.utf8)).root
  }()
}
