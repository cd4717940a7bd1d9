import Octets
import SignIn
public import TokenBasics

/// An address, or a network of addresses, from which a proxy asks: `127.0.0.1`, `::1`, `10.0.0.0/8`; `unix:` for the
/// gate's own Unix socket, whose file says who may connect.
public struct PeerNetwork: Hashable, Sendable, CustomStringConvertible {
  /// Nil for the Unix socket.
  private let network: AddressNetwork?

  /// The peer of a Unix socket, as files and servers write it. It has no address.
  package static let socket = "unix:"

  /// Whether it is the gate's own Unix socket.
  package var isSocket: Bool { network == nil }

  /// As it was written.
  public var description: String { network?.text ?? Self.socket }

  /// Reads an address or a network.
  ///
  /// - Throws: `gate.file-value` for anything else: a name, a network with bits behind its length, one of every
  ///   address.
  public init(_ text: String) throws(TokenError) {
    if text.hasSameBytes(as: Self.socket) {
      network = nil
      return
    }
    do throws(TokenError) {
      network = try AddressNetwork(text)
    } catch {
      throw TokenError(.gateValue, expected: error.expected, found: error.found)
    }
  }

  /// Whether an address, as a socket tells it, is one of the network.
  public func contains(_ peer: String) -> Bool {
    network?.contains(peer) ?? peer.hasSameBytes(as: Self.socket)
  }

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
    AddressNetwork.everybody(in: peers.compactMap(\.network))
  }
}
