import Octets

/// JSON with comments and commas before closing brackets, as programs of their own take it: read to name whose it is, and
/// for nothing else.
enum JSONRelaxed {
  /// The value; nil where nothing of the kind is in the text, or something else is wrong too.
  static func parse(_ octets: ArraySlice<UInt8>) -> JSONValue? {
    guard octets.count <= most else { return nil }
    let text = strict(octets)
    guard text.count < octets.count else { return nil }
    return try? JSONParser.parse(text)
  }

  /// In bytes: settings are shorter.
  private static let most = 1 << 20

  /// The text without comments and without commas before closing brackets.
  private static func strict(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let star = UInt8(ascii: "*")
    var text: [UInt8] = []
    text.reserveCapacity(octets.count)
    var lastComma: Int?
    var rest = octets
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""):
        lastComma = nil
        text.append(byte)
        takeString(&rest, &text)
      case slash where rest.first == slash:
        rest = rest.drop { $0 != ASCII.lineFeed }
      case slash where rest.first == star:
        let end = rest.dropFirst().firstRange(ofBytes: "*/")?.upperBound ?? rest.endIndex
        rest = rest[end...]
      case UInt8(ascii: ","):
        lastComma = text.count
        text.append(byte)
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if let comma = lastComma { text.remove(at: comma) }
        lastComma = nil
        text.append(byte)
      default:
        if !ASCII.isWhiteSpace(byte) { lastComma = nil }
        text.append(byte)
      }
    }
    return text
  }

  private static func takeString(_ rest: inout ArraySlice<UInt8>, _ text: inout [UInt8]) {
    while let byte = rest.popFirst() {
      text.append(byte)
      if byte == UInt8(ascii: "\"") { return }
      if byte == UInt8(ascii: "\\"), let next = rest.popFirst() { text.append(next) }
    }
  }
}
