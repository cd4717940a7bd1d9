import SignIn
public import TokenBasics

/// An address, or a network of addresses, from which a proxy asks: `127.0.0.1`, `::1`, `10.0.0.0/8`.
public struct PeerNetwork: Hashable, Sendable, CustomStringConvertible {
  private let network: AddressNetwork

  /// As it was written.
  public var description: String { network.text }

  /// Reads an address or a network.
  ///
  /// - Throws: `gate.file-value` for anything else: a name, a network with bits behind its length, one of every
  ///   address.
  public init(_ text: String) throws(TokenError) {
    do throws(TokenError) {
      network = try AddressNetwork(text)
    } catch {
      throw TokenError(.gateValue, expected: error.expected, found: error.found)
    }
  }

  /// Whether an address, as a socket tells it, is one of the network.
  public func contains(_ peer: String) -> Bool { network.contains(peer) }

  /// Checks that an address is that of a proxy.
  ///
  /// - Throws: `gate.peer`.
  static func check(_ peer: String, _ peers: [PeerNetwork]) throws(TokenError) {
    guard peers.contains(where: { $0.contains(peer) }) else {
      throw TokenError(
        .gatePeer, expected: peers.map(\.description).joined(separator: " or "),
        found: TokenError.excerpt(peer))
    }
  }

  /// Networks that together have every address of IPv4 or of IPv6; nil where some address is left out.
  static func everybody(in peers: [PeerNetwork]) -> String? {
    AddressNetwork.everybody(in: peers.map(\.network))
  }
}
