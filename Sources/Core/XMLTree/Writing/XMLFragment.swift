/// Octets of one element that an ``XMLWriter`` wrote.
///
/// Nothing else makes one, so what is signed or put into another element was escaped: text that came
/// from outside is never taken for markup, and nothing that was received is ever passed on to be
/// signed.
package struct XMLFragment: Sendable {
  package let octets: [UInt8]
  /// Where the writer left a place for a signature.
  private let signaturePlace: Int?

  init(_ octets: [UInt8], signaturePlace: Int? = nil) {
    self.octets = octets
    self.signaturePlace = signaturePlace
  }

  /// The element with its signature where the writer left a place for it; unchanged if it left none.
  package func signed(with signature: XMLFragment) -> XMLFragment {
    guard let place = signaturePlace else { return self }
    var octets: [UInt8] = []
    octets.reserveCapacity(self.octets.count + signature.octets.count)
    octets += self.octets.prefix(place)
    octets += signature.octets
    octets += self.octets.dropFirst(place)
    return XMLFragment(octets)
  }
}
