/// A challenge of the scheme `Bearer` (RFC 6750, 3): what a request needs that has no token, or not the right one.
package struct TokenChallenge: Sendable {
  /// The parameters in their order; none is there twice.
  package private(set) var parameters: [(name: String, value: String)] = []

  package init() {}

  /// Adds a parameter. Quotes, backslashes and control characters have no place in what is written here, and are left
  /// out.
  package mutating func add(_ name: String, _ value: String) {
    let octets = value.utf8.filter {
      $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    parameters.append((name, String(decoding: octets, as: UTF8.self)))
  }

  /// The value of `WWW-Authenticate`.
  package var text: String {
    guard !parameters.isEmpty else { return "Bearer" }
    return "Bearer " + parameters.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ", ")
  }
}
