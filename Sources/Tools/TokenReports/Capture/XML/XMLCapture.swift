import SecurityKeys
import TokenBasics
import TokenMutation
import XMLTree

/// Captures an XML document: encrypted parts first, then the values, then the signatures.
struct XMLCapture {
  let session: CaptureSession

  init(_ session: CaptureSession) { self.session = session }

  func capture(_ octets: [UInt8], depth: Int = 0) throws(TokenError) -> [UInt8] {
    if let wide = UTF16Text(octets) { return wide.encoding(try capture(wide.utf8, depth: depth)) }
    let text = XMLText(octets)
    addEmbeddedKeys(text)
    let states = SignatureStates(of: octets, session)
    var scrubber = XMLScrubber(text, session)
    if depth < 3 {
      for (element, content) in try CiphertextCapture(session).contents(of: octets, depth) {
        scrubber.contents[element] = content
      }
    }
    for index in text.elements.indices where text.elements[index].localName == "BinarySecurityToken"
    {
      let source = text.octets[text.elements[index].content]
      let layout = Base64Layout(source)
      if let inner = layout.octets, !inner.isEmpty {
        let isSWT = inner.contains(UInt8(ascii: "&"))
        scrubber.contents[index] = layout.encoding(
          isSWT ? SWTCapture(session).capture(inner) : try JWTCapture(session).capture(inner))
      }
    }
    let result = states.renewing(scrubber.scrub())
    session.surfaces.append(result)
    return result
  }

  /// The keys that KeyInfo names may have signed, whether they are trusted or not.
  private func addEmbeddedKeys(_ text: XMLText) {
    for index in text.elements.indices where text.elements[index].localName == "X509Certificate" {
      if let der = Base64Layout(text.octets[text.elements[index].content]).octets {
        _ = TestCertificate.reading(der, session)
      }
    }
  }
}

/// Certificates inside of a token.
enum TestCertificate {
  /// The test certificate in place of the one in `der`; nil where that cannot be read. Its key becomes a
  /// candidate: a token may be signed with a key that is not trusted.
  static func reading(_ der: [UInt8], _ session: CaptureSession) -> [UInt8]? {
    guard let original = try? Certificate(der: der) else { return nil }
    try? session.add(.certificate(original))
    return (try? session.keys.certificate(for: original))?.der
  }
}
