import Octets
public import TokenBasics

/// Header fields in the order in which they were added; names compare without case (RFC 9110, 5).
///
/// Characters that could split a message are rejected, so a value taken from a token cannot add a field.
///
/// Its description contains only the names: values may be credentials.
public struct HTTPFields: Sendable, CustomStringConvertible, CustomReflectable {
  /// Names and values, in order.
  public private(set) var list: [(name: String, value: String)] = []

  /// No fields.
  public init() {}

  /// No fields yet, and room for some.
  package init(capacity: Int) { list.reserveCapacity(capacity) }

  /// The fields with these names and values.
  /// - Throws: `transport.malformed-field`, as ``append(_:_:)``.
  public init(_ pairs: [(String, String)]) throws(TokenError) {
    for (name, value) in pairs { try append(name, value) }
  }

  /// The names in order, separated by commas.
  public var description: String { "fields " + list.map(\.name).joined(separator: ", ") }

  /// Contains only the names.
  public var customMirror: Mirror { Mirror(self, children: ["names": list.map(\.name)]) }

  /// Adds a field after all others.
  /// - Throws: `transport.malformed-field` for a name that is not a token, or a value with control
  ///   characters or with white space at either end (RFC 9110, 5.5 and 5.6.2).
  public mutating func append(_ name: String, _ value: String) throws(TokenError) {
    guard Self.isToken(name), Self.isFieldValue(value) else {
      throw TokenError(
        .transportMalformedField, node: TokenError.excerpt(name),
        expected: "a token and a value without control characters")
    }
    list.append((name, value))
  }

  /// Replaces every field of that name by one.
  /// - Throws: `transport.malformed-field`.
  public mutating func set(_ name: String, _ value: String) throws(TokenError) {
    remove(name)
    try append(name, value)
  }

  /// Removes every field of that name.
  public mutating func remove(_ name: String) {
    list.removeAll { Self.isSameName($0.name, name) }
  }

  /// The values of one name, in order.
  public func values(_ name: String) -> [String] {
    var values: [String] = []
    for field in list where Self.isSameName(field.name, name) { values.append(field.value) }
    return values
  }

  /// The value of a name that occurs exactly once; nil otherwise.
  public subscript(_ name: String) -> String? {
    var found: String?
    for field in list where Self.isSameName(field.name, name) {
      guard found == nil else { return nil }
      found = field.value
    }
    return found
  }

  static func isSameName(_ left: String, _ right: String) -> Bool {
    left.utf8.span.equalsIgnoringCase(right.utf8.span)
  }

  private static func isToken(_ name: String) -> Bool {
    let octets = name.utf8.span
    guard !octets.isEmpty else { return false }
    for index in octets.indices where !isTokenCharacter(octets[index]) { return false }
    return true
  }

  /// Whether an octet is one of `!#$%&'*+-.^_` and `` `|~ ``, a letter or a digit.
  private static func isTokenCharacter(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "-"), UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: ASCII.isLetter(octet) || ASCII.isDigit(octet)
    }
  }

  /// Octets above 0x7F are opaque but allowed; white space at either end is not (RFC 9110, 5.5).
  private static func isFieldValue(_ value: String) -> Bool {
    let octets = value.utf8.span
    guard let last = octets.indices.last else { return true }
    guard !ASCII.isWhiteSpace(octets[0]), !ASCII.isWhiteSpace(octets[last]) else { return false }
    for index in octets.indices {
      let octet = octets[index]
      guard octet >= 0x20 && octet != 0x7F || octet == ASCII.tab else { return false }
    }
    return true
  }
}
