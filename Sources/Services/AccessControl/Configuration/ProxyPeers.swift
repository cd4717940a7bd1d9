public import HTTPExchange
import Octets
import SignIn
import TokenBasics

/// The proxies before the service, which say in `X-Forwarded-For` who asks. Any sender can write that field, so it counts
/// only from these.
public struct ProxyPeers: Sendable {
  private let networks: [AddressNetwork]

  /// - Parameter networks: Empty where no proxy is before the service.
  init(_ networks: [AddressNetwork]) { self.networks = networks }

  /// The network address of the sender: the last one in the chain of proxies that is no proxy of ours.
  ///
  /// - Parameters:
  ///   - fields: The fields of the request.
  ///   - peer: The address from which the connection comes.
  public func sender(_ fields: HTTPFields, from peer: String) -> String {
    guard isProxy(peer) else { return peer }
    var sender = peer
    let entries = fields.values("X-Forwarded-For").flatMap { $0.split(separator: ",") }
    for entry in entries.reversed() {
      guard let address = Self.address(entry) else { return sender }
      sender = address
      guard isProxy(address) else { return sender }
    }
    return sender
  }

  private func isProxy(_ address: String) -> Bool {
    networks.contains { $0.contains(address) }
  }

  /// The address of an entry, without its port: `192.0.2.1`, `192.0.2.1:443`, `2001:db8::1`, `[2001:db8::1]:443`.
  private static func address(_ entry: Substring) -> String? {
    var text = entry.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    if text.first == "[", let end = text.firstIndex(of: "]") {
      text = text[text.index(after: text.startIndex)..<end]
    } else if let colon = text.firstIndex(of: ":"), text.firstIndex(of: ".") ?? colon < colon {
      text = text[..<colon]
    }
    return IPAddress(text) == nil ? nil : String(text)
  }
}

extension ServiceFileReader {
  /// `proxy`: who may say for whom it asks.
  mutating func readProxy(_ json: JSONValue?) -> ProxyPeers {
    guard let json else { return ProxyPeers([]) }
    file.members(json, ["peers"])
    let list = file.list(json["peers"])
    var networks: [AddressNetwork] = []
    for value in list {
      guard let text = file.text(value) else { continue }
      do throws(TokenError) {
        networks.append(try AddressNetwork(text))
      } catch {
        file.refuse(value, error.expected ?? "an address", text)
      }
    }
    if let everybody = AddressNetwork.everybody(in: networks), let value = json["peers"] {
      file.refuse(value, "networks of the proxy alone", "\(everybody), together every address")
    }
    if list.isEmpty { file.refuse(json["peers"] ?? json, "the addresses of the proxy") }
    return ProxyPeers(networks)
  }
}
