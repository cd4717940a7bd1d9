package import XMLTree

/// The certificates of one entity by their texts. Most are listed more than once: for signing and for
/// encryption, and in every role.
package struct EntityCertificates {
  private var known: [EntityCertificate] = []

  package init() {}

  /// The certificate of an `X509Certificate`: unreadable where anything but text is inside, even a
  /// comment. Other keys stay usable.
  package mutating func certificate(of element: Element) -> EntityCertificate {
    certificate(element.plainTextRange.map { Array(element.bytes($0)) } ?? [])
  }

  /// The certificate with this text.
  package mutating func certificate(_ text: String) -> EntityCertificate {
    certificate(Array(text.utf8))
  }

  /// Searches only the latest, so that an entity with thousands takes linear time.
  private mutating func certificate(_ octets: [UInt8]) -> EntityCertificate {
    if let same = known.suffix(16).last(where: { $0.text == octets }) { return same }
    let certificate = EntityCertificate(octets)
    known.append(certificate)
    return certificate
  }
}
