import Octets
public import TokenBasics

/// The path of a request, read once into segments. What two readers could read differently is refused (GATE-4).
public struct RequestTarget: Hashable, Sendable, CustomStringConvertible {
  /// The decoded segments; `/a/b/` has three, the last one empty.
  public let segments: [String]

  /// Reads a request target in origin form: a path and perhaps a query, which is not looked at.
  ///
  /// - Throws: `gate.path`; the node says what is ambiguous.
  public init(_ target: String) throws(TokenError) {
    let octets = Array(target.utf8)
    guard octets.first == Self.slash else { throw Self.ambiguous("no leading slash") }
    let path = octets.prefix { $0 != UInt8(ascii: "?") }
    guard path.count <= 8192 else { throw Self.ambiguous("a path of more than 8192 bytes") }
    guard path.allSatisfy({ $0 < 0x7F }) else { throw Self.ambiguous("an octet beyond ASCII") }
    guard octets.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw Self.ambiguous("a control character or a space")
    }
    guard !octets.contains(UInt8(ascii: "#")) else { throw Self.ambiguous("#") }
    guard !path.contains(UInt8(ascii: "\\")) else { throw Self.ambiguous("a backslash") }
    guard !path.contains(UInt8(ascii: ";")) else { throw Self.ambiguous("a path parameter") }
    var segments: [String] = []
    let parts = path.dropFirst().split(separator: Self.slash, omittingEmptySubsequences: false)
    for (number, part) in parts.enumerated() {
      guard !part.isEmpty || number == parts.count - 1 else { throw Self.ambiguous("//") }
      let segment = try Self.decode(part)
      guard segment != ".", segment != ".." else { throw Self.ambiguous("a dot segment") }
      segments.append(segment)
    }
    self.segments = segments
  }

  /// Decodes the escapes of a segment, each of which has to stand for an octet that no reader takes for
  /// syntax.
  private static func decode(_ part: ArraySlice<UInt8>) throws(TokenError) -> String {
    var octets: [UInt8] = []
    var rest = part
    while let octet = rest.popFirst() {
      guard octet == UInt8(ascii: "%") else {
        octets.append(octet)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else { throw ambiguous("a malformed percent escape") }
      let value = high << 4 | low
      // `%25` would be decoded a second time by some readers.
      guard value > 0x20, value != 0x7F, !"./\\#;%?".utf8.contains(value) else {
        throw ambiguous("an escaped octet that means something in a path")
      }
      octets.append(value)
    }
    guard let text = String(validating: octets, as: UTF8.self) else {
      throw ambiguous("an escape that is not UTF-8")
    }
    return text
  }

  private static func digit(_ octet: UInt8) -> UInt8? {
    switch octet {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): octet - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): octet - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): octet - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func ambiguous(_ what: String) -> TokenError {
    TokenError(.gatePath, node: what, expected: "a path with one reading")
  }

  private static let slash = UInt8(ascii: "/")

  /// The path, decoded.
  public var description: String { "/" + segments.joined(separator: "/") }

  /// Whether the path is `path` or below it, by whole segments and byte for byte.
  func isCovered(by path: RequestTarget) -> Bool {
    let rule = path.segments.last == "" ? path.segments.dropLast() : path.segments[...]
    guard segments.count >= rule.count else { return false }
    return zip(rule, segments).allSatisfy { $0.hasSameBytes(as: $1) }
  }

  /// How many segments a rule for this path names.
  var depth: Int { segments.last == "" ? segments.count - 1 : segments.count }
}
