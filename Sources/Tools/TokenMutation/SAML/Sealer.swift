import SecurityKeys
import TokenBasics
import XMLTree

/// Renews the signatures of an edited message, whatever algorithms and references they name.
struct Sealer {
  /// The signing key.
  private enum Signer {
    case privateKey(PrivateKey)
    case mac(SymmetricKey, DigestAlgorithm)
  }

  private let signer: Signer

  init(_ key: PrivateKey) { signer = .privateKey(key) }

  /// Signs with a MAC, whatever algorithm the message names.
  init(mac key: SymmetricKey, _ digest: DigestAlgorithm) { signer = .mac(key, digest) }

  /// The message with new digests and signature values, the inner signature first.
  ///
  /// - Parameter spoilsDigest: Whether the digest of the outermost signature is left wrong, under a
  ///   valid signature value.
  /// - Returns: nil for a message that cannot be signed.
  func seal(_ octets: [UInt8], spoilsDigest: Bool = false) -> [UInt8]? {
    guard let message = MessageText(octets) ?? MessageText(encrypted: octets) else { return nil }
    var text = message.text
    // Values change in length, the number of elements stays.
    for signature in [message.assertionSignature, message.responseSignature] {
      guard let signature else { continue }
      let isLast = signature == message.signature
      guard let sealed = sealed(text, signature, spoils: spoilsDigest && isLast) else { return nil }
      if isLast { return sealed }
      text = XMLText(sealed)
    }
    return text.octets
  }

  /// The document with new values in one signature; it is parsed once.
  private func sealed(_ text: XMLText, _ signature: Int, spoils: Bool) -> [UInt8]? {
    guard let document = try? Document(parsing: text.octets),
      let parent = text.elements[signature].parent,
      let info = text.child("SignedInfo", of: signature),
      let value = text.child("SignatureValue", of: signature),
      let uri = text.descendant("SignatureMethod", of: info).flatMap({
        attribute("Algorithm", text, $0)
      })
    else { return nil }
    let nodes = document.root.descendants { _ in true }
    let inside = text.descendants(of: signature)
    guard nodes.count == text.elements.count,
      let digest = digest(
        nodes[parent].omitting(nodes[signature]).subtree, text, inside, spoils: spoils)
    else { return nil }
    let canonical = XMLText(
      Canonicalizer.octets(
        nodes[info].subtree,
        method(text, transform: text.child("CanonicalizationMethod", of: info))))
    let message = canonical.applying(
      Self.edits(canonical, Array(canonical.elements.indices), digest))
    guard let signed = self.signature(over: message, SignatureAlgorithm.named(uri: uri.utf8.span))
    else { return nil }
    return text.applying(
      Self.edits(text, inside, digest)
        + [text.replacingContent(of: value, with: Base64.encode(signed))])
  }

  private static func edits(
    _ text: XMLText, _ elements: [Int], _ digest: [UInt8]
  ) -> [XMLText.Edit] {
    elements.filter { text.elements[$0].localName == "DigestValue" }.map {
      text.replacingContent(of: $0, with: Base64.encode(digest))
    }
  }

  private func digest(
    _ content: Subtree, _ text: XMLText, _ inside: [Int], spoils: Bool
  ) -> [UInt8]? {
    func last(_ name: String) -> Int? { inside.last { text.elements[$0].localName == name } }
    // A reference to an element digests it without comments (XML Signature 1.1, 4.4.3.3).
    var method = method(text, transform: last("Transform"))
    method.withComments = false
    let canonical = Canonicalizer.octets(content, method)
    let uri = last("DigestMethod").flatMap { attribute("Algorithm", text, $0) }
    let algorithm = DigestAlgorithm.allCases.first { $0.uri == uri } ?? .sha256
    guard var digest = algorithm.digest(of: canonical) else { return nil }
    if spoils { digest[0] ^= 1 }
    return digest
  }

  /// The signature with this algorithm, or with the key's default where the algorithm does not fit it.
  func signature(over message: [UInt8], _ algorithm: SignatureAlgorithm?) -> [UInt8]? {
    guard case .privateKey(let key) = signer else { return mac(of: message) }
    let fallback: SignatureAlgorithm = key.publicKey.isRSA ? .rsaSHA256 : .ecdsaSHA256
    return algorithm.flatMap { key.sign(message, $0) } ?? key.sign(message, fallback)
  }

  private func mac(of message: [UInt8]) -> [UInt8]? {
    guard case .mac(let key, let digest) = signer else { return nil }
    return key.authenticate(message.span, with: digest)
  }

  /// Canonical XML 1.0 where no transform names a method (XML Signature 1.1, 4.4.3.2).
  private func method(_ text: XMLText, transform index: Int?) -> CanonicalizationMethod {
    guard let index, let uri = attribute("Algorithm", text, index),
      var method = CanonicalizationMethod(uri: uri)
    else { return CanonicalizationMethod(.inclusive10) }
    if let list = text.child("InclusiveNamespaces", of: index),
      let prefixes = attribute("PrefixList", text, list)
    {
      method.inclusivePrefixes = prefixes.split(separator: " ").map(String.init)
    }
    return method
  }

  private func attribute(_ name: String, _ text: XMLText, _ index: Int) -> String? {
    text.elements[index].attribute(name).map(text.value(of:))
  }
}

extension PublicKey {
  /// Whether it is an RSA key.
  var isRSA: Bool { if case .rsa = kind { true } else { false } }
}
