/// Octets of one element that an ``XMLWriter`` wrote.
///
/// Nothing else makes one, so what is signed or put into another element was escaped: text that came
/// from outside is never taken for markup, and nothing that was received is ever passed on to be
/// signed.
package struct XMLFragment: Sendable {
  package let octets: [UInt8]

  init(_ octets: [UInt8]) { self.octets = octets }
}
