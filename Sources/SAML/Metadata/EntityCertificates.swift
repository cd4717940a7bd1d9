/// The certificates of one entity by their texts. Most stand there more than once: for signing and for
/// encryption, and in every role.
package struct EntityCertificates {
  /// By octets: strings of different octets can be equal.
  private var known: [[UInt8]: EntityCertificate] = [:]

  package init() {}

  /// The certificate with this text.
  package mutating func certificate(_ text: String) -> EntityCertificate {
    let octets = Array(text.utf8)
    if let certificate = known[octets] { return certificate }
    let certificate = EntityCertificate(octets)
    known[octets] = certificate
    return certificate
  }
}
