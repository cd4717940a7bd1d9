import HTTPExchange
import Octets
import SecurityKeys

/// The name and password of an `Authorization` header (RFC 7617, 2: the scheme in any case).
///
/// RFC 6749, 2.3.1, has both form-encoded; curl and many libraries send them as they are. So each is read in both ways. A name
/// that is sent as it is may have colons, as a URI has.
struct BasicCredentials {
  /// What the header may mean, the reading of RFC 6749 first.
  private let readings: [(name: String, password: String)]

  /// Reads a header; nil for one of another scheme, or without a colon.
  init?(_ header: String) {
    let octets = Array(header.utf8)
    guard octets.prefix(6).map(ASCII.lowercased) == Array("basic ".utf8),
      let pair = try? Base64.decode(Array(octets.dropFirst(6).drop { $0 == ASCII.space }))
    else { return nil }
    let colons = pair.indices.filter { pair[$0] == UInt8(ascii: ":") }
    guard let first = colons.first else { return nil }
    var readings: [(name: String, password: String)] = []
    if let name = try? FormEncoding.decode(pair[..<first]),
      let password = try? FormEncoding.decode(pair[(first + 1)...])
    {
      readings.append((Self.text(name), Self.text(password)))
    }
    for colon in colons.prefix(Self.mostColons) {
      readings.append((Self.text(pair[..<colon]), Self.text(pair[(colon + 1)...])))
    }
    self.readings = readings
  }

  /// The name that is meant: that of the form where it has one, else the first that is known, else the first.
  ///
  /// - Parameters:
  ///   - asked: The `client_id` of the form.
  ///   - isKnown: Whether a client has the name.
  /// - Returns: Nil where the form has another name than the header.
  func name(asked: String?, where isKnown: (String) -> Bool) -> String? {
    if let asked { return readings.first { $0.name.hasSameBytes(as: asked) }?.name }
    return (readings.first { isKnown($0.name) } ?? readings.first)?.name
  }

  /// The passwords that may be meant with that name, each once.
  func passwords(of name: String) -> [String] {
    readings.filter { $0.name.hasSameBytes(as: name) }.reduce(into: []) { found, reading in
      if !found.containsBytes(of: reading.password) { found.append(reading.password) }
    }
  }

  private static func text(_ octets: some Collection<UInt8>) -> String {
    String(decoding: octets, as: UTF8.self)
  }

  /// The most places at which a name may end.
  private static let mostColons = 8
}
