import Octets
import SignIn

extension WebRequest {
  /// What stands for the sender in limits: an IPv4 address, or the first 64 bits of an IPv6 address, since one network has
  /// as many of the others as it likes.
  package static func peer(of address: String?) -> String? {
    guard let address else { return nil }
    // An IPv4 address in one of IPv6 (RFC 4291, 2.5.5).
    if address.utf8.contains(UInt8(ascii: ".")) {
      return address.split(separator: ":").last.map(String.init)
    }
    func groups(_ text: Substring) -> [String] {
      text.split(separator: ":", omittingEmptySubsequences: true).map(String.init)
    }
    guard let gap = address.firstRange(of: "::") else {
      return groups(address[...]).prefix(4).joined(separator: ":")
    }
    let head = groups(address[..<gap.lowerBound])
    let tail = groups(address[gap.upperBound...])
    let zeros = Array(repeating: "0", count: max(0, 8 - head.count - tail.count))
    return (head + zeros + tail).prefix(4).joined(separator: ":")
  }
}
