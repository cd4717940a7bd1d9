package import XMLTree

/// The certificates of one entity by their texts. Most stand there more than once: for signing and for
/// encryption, and in every role.
package struct EntityCertificates {
  /// By octets: strings of different octets can be equal.
  private var known: [[UInt8]: EntityCertificate] = [:]

  package init() {}

  /// The certificate of an `X509Certificate`: unreadable where anything but text is inside, even a
  /// comment, and no other key suffers from that.
  package mutating func certificate(of element: Element) -> EntityCertificate {
    certificate(element.plainTextRange.map { Array(element.bytes($0)) } ?? [])
  }

  /// The certificate with this text.
  package mutating func certificate(_ text: String) -> EntityCertificate {
    certificate(Array(text.utf8))
  }

  private mutating func certificate(_ octets: [UInt8]) -> EntityCertificate {
    if let certificate = known[octets] { return certificate }
    let certificate = EntityCertificate(octets)
    known[octets] = certificate
    return certificate
  }
}
