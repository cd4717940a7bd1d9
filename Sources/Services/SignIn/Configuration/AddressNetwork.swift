import HTTPExchange
import Octets
import TokenBasics

/// An IP address, or a network of addresses, from which a proxy asks: `127.0.0.1`, `::1`, `10.0.0.0/8`.
package struct AddressNetwork: Hashable, Sendable {
  /// As it was written.
  package let text: String
  private let address: IPAddress
  /// How many bits all addresses of the network have in common.
  private let bits: Int

  /// Reads an address or a network.
  ///
  /// - Throws: `signin.configuration` for anything else: a name, a network with bits behind its length, one of every
  ///   address.
  package init(_ text: String) throws(TokenError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let first = parts.first, let address = IPAddress(first), parts.count <= 2 else {
      throw Self.refused("an IP address, or a network such as 10.0.0.0/8", text)
    }
    // An IPv4 address in the form of IPv6 has 96 bits before it.
    let shift = first.contains(":") && address.octets.count == 4 ? 96 : 0
    let length = address.octets.count * 8
    var bits = length
    if parts.count == 2 {
      guard let number = Int(parts[1]), parts[1].utf8.allSatisfy(ASCII.isDigit),
        (shift + 1...shift + length).contains(number)
      else {
        throw Self.refused("a network of 1 to \(shift + length) bits, not everybody", text)
      }
      bits = number - shift
    }
    guard Self.prefix(address.octets, bits) == address.octets else {
      throw Self.refused("no bits behind the length of the network, such as 10.0.0.0/8", text)
    }
    self.text = text
    self.address = address
    self.bits = bits
  }

  /// Whether an address, as a socket tells it, is one of the network.
  package func contains(_ peer: String) -> Bool {
    if peer.hasSameBytes(as: text) { return true }
    guard let peer = IPAddress(peer[...]) else { return false }
    return Self.prefix(peer.octets, bits) == address.octets
  }

  /// Networks that together have every address of IPv4 or of IPv6; nil where some address is left out.
  package static func everybody(in networks: [Self]) -> String? {
    for size in [4, 16] {
      let own = networks.filter { $0.address.octets.count == size }
      if isEverybody(own, at: 0) { return own.map(\.text).joined(separator: ", ") }
    }
    return nil
  }

  /// Whether networks that have their first bits in common have all addresses that begin so.
  private static func isEverybody(_ networks: [Self], at bit: Int) -> Bool {
    if networks.contains(where: { $0.bits <= bit }) { return true }
    guard networks.count > 1 else { return false }
    let halves = [true, false].map { isSet in
      networks.filter { ($0.address.octets[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0) == isSet }
    }
    return halves.allSatisfy { isEverybody($0, at: bit + 1) }
  }

  /// The first `bits` bits, and zeros behind them.
  private static func prefix(_ octets: [UInt8], _ bits: Int) -> [UInt8] {
    octets.enumerated().map { place, octet in
      let left = bits - place * 8
      return left >= 8 ? octet : left <= 0 ? 0 : octet & (0xFF << (8 - UInt8(left)))
    }
  }

  private static func refused(_ expected: String, _ text: String) -> TokenError {
    TokenError(.signInConfiguration, expected: expected, found: TokenError.excerpt(text))
  }
}
