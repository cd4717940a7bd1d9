import HTTPExchange
import SignIn

extension WebRequest {
  /// What stands for the sender in limits: an IPv4 address, or the first 64 bits of an IPv6 address, since one network has
  /// as many of the others as it likes.
  package static func peer(of address: String?) -> String? {
    guard let address, let octets = IPAddress(address.prefix { $0 != "%" })?.octets else {
      return address
    }
    // An IPv4 address in one of IPv6 (RFC 4291, 2.5.5) has four.
    guard octets.count == 16 else { return octets.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 8, by: 2).map { place in
      String(Int(octets[place]) << 8 | Int(octets[place + 1]), radix: 16)
    }.joined(separator: ":")
  }
}
