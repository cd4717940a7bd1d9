package import SecurityKeys
package import TokenBasics
import XMLTree

/// The work that a plaintext caused before it was refused, so that what it did not cause is done for nothing.
///
/// Where an unauthenticated cipher decrypted and nothing has proved the author of the plaintext yet, time must not
/// tell more than the one error does: bad padding, no XML, half of it and a wrong signature inside cost alike (Jager
/// and Somorovsky 2011).
package struct ConcealedWork: Sendable {
  /// Octets of the ciphertext, which anybody can count.
  private let size: Int
  /// Octets of XML that were parsed.
  package var parsedCount = 0
  /// Whether keys were tried on a signature, and whether a digest was made of what it covers.
  private var isTried = false
  private var isDigested = false

  package init(of data: EncryptedData) { size = data.size }

  /// Notes how far the signature inside came.
  package mutating func note(_ failure: TokenError) {
    isDigested = failure.code == .digestMismatch
    isTried = isDigested || failure.code == .signatureInvalid
  }

  /// Does the rest of the work of a plaintext without a signature.
  package func settle() {
    // Plaintext that uses prefixes of the message is parsed twice.
    var rest = 2 * size - parsedCount
    while rest >= DecoyText.leastCount {
      let octets = DecoyText.octets(count: min(rest, size))
      rest -= octets.count
      guard let document = try? Document(parsing: octets, limits: Self.decoyLimits) else { return }
      _ = try? IdentifierIndex(document)
    }
  }

  /// Does the rest of the work of a plaintext that should be signed by one of `keys`.
  package func settle(_ keys: KeyRing, at now: Instant, _ limits: Limits) {
    settle()
    if !isTried { DecoySignature.refuse(keys, at: now, limits) }
    if !isDigested { _ = DigestAlgorithm.sha256.digest(of: DecoyText.octets(count: size)) }
  }

  /// The text is ours, whatever the limits of tokens are.
  private static let decoyLimits: Limits = {
    var limits = Limits()
    limits.bytes = Limits.hardByteLimit
    limits.elements = .max
    return limits
  }()
}

/// XML that takes as long to parse as an assertion of that length does.
enum DecoyText {
  /// Shorter ones are not worth parsing.
  static let leastCount = head.utf8.count + part.utf8.count + tail.utf8.count

  /// An element of at least ``leastCount`` octets, and nearly `count`.
  static func octets(count: Int) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(max(count, leastCount) + 1)
    octets += head.utf8
    let part = Array(part.utf8)
    repeat { octets += part } while octets.count + part.count + tail.utf8.count <= count
    return octets + tail.utf8
  }

  private static let head = "<Assertion ID=\"_d\" Version=\"2.0\">"
  private static let tail = "</Assertion>"
  /// Half markup and half a long text, as attributes and the certificate of a signature are.
  private static let part =
    "<Attribute Name=\"urn:oid:0.9.2342.19200300.100.1.3\" "
    + "NameFormat=\"urn:oasis:names:tc:SAML:2.0:attrname-format:uri\"><AttributeValue>"
    + "somebody@idp.example</AttributeValue></Attribute><Transform "
    + "Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"></Transform><X509Certificate>"
    + String(repeating: "MIIDDTCCAfWgAwIB", count: 24) + "</X509Certificate>"
}

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
    case .ed25519, .x25519: (.ed25519, 64)
    case .ed448: (.ed448, 114)
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
