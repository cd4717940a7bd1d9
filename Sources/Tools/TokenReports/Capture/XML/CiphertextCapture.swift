import Claims
import Octets
import SecurityKeys
import TokenBasics
import TokenMutation
import XMLSecurity
import XMLTree

/// Encrypted parts of a document: decrypted, captured, and encrypted again to a test key.
struct CiphertextCapture {
  private let session: CaptureSession

  init(_ session: CaptureSession) { self.session = session }

  /// New contents of `CipherValue` elements, by their places.
  func contents(of octets: [UInt8], _ depth: Int) throws(TokenError) -> [Int: [UInt8]] {
    let text = XMLText(octets)
    let parts = text.elements.indices.filter { text.elements[$0].localName == "EncryptedData" }
    guard !parts.isEmpty else { return [:] }
    guard let signed = SignedOctets(octets, session.trust.limits),
      let recipient = try session.keys.recipient(for: session.trust.privateKeys)
    else {
      session.note("without a key that decrypts it, a ciphertext is random octets of its length")
      return [:]
    }
    var contents: [Int: [UInt8]] = [:]
    for part in parts {
      guard let made = try recapture(part, signed, recipient, depth) else {
        session.note("a ciphertext that the keys do not decrypt is random octets of its length")
        continue
      }
      contents.merge(made) { _, new in new }
    }
    return contents
  }

  private func recapture(
    _ part: Int, _ signed: SignedOctets, _ recipient: PrivateKey, _ depth: Int
  ) throws(TokenError) -> [Int: [UInt8]]? {
    let text = signed.text
    let hasWrapper =
      text.elements[part].parent.map { text.elements[$0].localName.hasPrefix("Encrypted") } ?? false
    let wrapper = hasWrapper ? text.elements[part].parent ?? part : part
    let node = signed.node(wrapper)
    let read =
      hasWrapper
      ? try? EncryptedData(inside: node, session.trust.limits)
      : try? EncryptedData(reading: node, session.trust.limits)
    var decryptor = Decryptor(
      keys: session.trust.privateKeys, exceptions: Set(LegacyException.all),
      limits: session.trust.limits)
    guard let read, let plain = try? decryptor.decrypt(read) else { return nil }
    let captured = try capturePlaintext(plain.octets, signed.node(part), depth)
    let content = plain.cipher.newKey()
    guard let value = plain.cipher.encrypt(captured, key: content, allowsLegacy: true),
      let own = cipherValue(of: part, text)
    else { return nil }
    var contents = [own: Base64Layout(text.octets[text.elements[own].content]).encoding(value)]
    for (place, original) in zip(keyPlaces(wrapper, text), read.transports) {
      guard let original else { return nil }
      let transport = relabelled(original, place, text, &contents)
      guard
        let wrapped = recipient.publicKey.encrypt(content, transport, allowsLegacy: true),
        let target = cipherValue(of: place, text)
      else { return nil }
      contents[target] = Base64Layout(text.octets[text.elements[target].content]).encoding(wrapped)
    }
    return contents
  }

  /// The transport with another label in place of the one that the token names.
  private func relabelled(
    _ transport: KeyTransport, _ place: Int, _ text: XMLText, _ contents: inout [Int: [UInt8]]
  ) -> KeyTransport {
    guard case .oaep(let digest, let mask, let label) = transport, !label.isEmpty,
      let method = text.child("EncryptionMethod", of: place),
      let parameters = text.child("OAEPparams", of: method)
    else { return transport }
    let other = SystemRandom.octets(label.count)
    contents[parameters] = Base64Layout(text.octets[text.elements[parameters].content])
      .encoding(other)
    return .oaep(digest: digest, mask: mask, label: other)
  }

  /// The plaintext captured, inside the namespaces of its place where it needs them.
  private func capturePlaintext(
    _ octets: [UInt8], _ place: Element, _ depth: Int
  ) throws(TokenError) -> [UInt8] {
    let capture = XMLCapture(session)
    if (try? Document(parsing: octets, limits: session.trust.limits)) != nil {
      return try capture.capture(octets, depth: depth + 1)
    }
    let scope = NamespaceScope(at: place)
    return scope.content(of: try capture.capture(scope.wrapping(octets), depth: depth + 1))
  }

  private func keyPlaces(_ wrapper: Int, _ text: XMLText) -> [Int] {
    text.descendants(of: wrapper).filter { text.elements[$0].localName == "EncryptedKey" }
  }

  private func cipherValue(of index: Int, _ text: XMLText) -> Int? {
    text.child("CipherData", of: index).flatMap { text.child("CipherValue", of: $0) }
  }
}
