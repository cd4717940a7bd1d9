/// What octets are by their beginning, to say in an error what came in place of what was meant.
/// Nothing is decided by it: every reader refuses these octets without it too.
package enum ContentKind: Hashable, Sendable {
  case gzip
  case zlib
  case zip
  case utf16
  case html
  case xml
  case json
  /// A text with labelled blocks (RFC 7468), or an OpenSSH key.
  case pem
  /// A compact JWS or JWE.
  case compactJWS

  /// Nil for anything else.
  package init?(_ octets: some Collection<UInt8>) {
    let sample = Array(octets.prefix(Self.sampleLength))
    self.init(sample: sample.span)
  }

  private init?(sample: Span<UInt8>) {
    guard let kind = Self.binary(sample) ?? Self.text(sample) else { return nil }
    self = kind
  }

  /// The name for a person.
  package var name: String {
    switch self {
    case .gzip: "gzip data"
    case .zlib: "a zlib stream"
    case .zip: "a ZIP archive"
    case .utf16: "UTF-16"
    case .html: "an HTML page"
    case .xml: "XML"
    case .json: "JSON"
    case .pem: "PEM"
    case .compactJWS: "a JSON Web Token"
    }
  }

  package var isCompressed: Bool { self == .gzip || self == .zlib || self == .zip }

  /// Whether the octets are UTF-16: with a byte order mark, or with a NUL beside the first letter,
  /// as XML 1.0, Appendix F tells it.
  package static func isUTF16(_ octets: Span<UInt8>) -> Bool {
    guard octets.count >= 2 else { return false }
    let (first, second) = (octets[0], octets[1])
    if first == 0xFF, second == 0xFE { return true }
    if first == 0xFE, second == 0xFF { return true }
    guard octets.count >= 4 else { return false }
    let isLittle = second == 0 && octets[3] == 0 && isGraphic(first)
    let isBig = first == 0 && octets[2] == 0 && isGraphic(second)
    return isLittle || isBig
  }

  private static func binary(_ octets: Span<UInt8>) -> ContentKind? {
    if isUTF16(octets) { return .utf16 }
    guard octets.count >= 4 else { return nil }
    if octets[0] == 0x1F, octets[1] == 0x8B { return .gzip }
    if octets.hasPrefix("PK"), octets[2] == 3, octets[3] == 4 { return .zip }
    // RFC 1950, 2.2: the header is a multiple of 31; text has no such first byte but `x`.
    let check = Int(octets[0]) << 8 | Int(octets[1])
    if octets[0] == 0x78, check % 31 == 0, octets[1] < 0x20 || octets[1] > 0x7E || octets[2] > 0x7E
    {
      return .zlib
    }
    return nil
  }

  private static func text(_ octets: Span<UInt8>) -> ContentKind? {
    var start = octets.hasPrefix("\u{FEFF}") ? 3 : 0
    while start < octets.count, ASCII.isWhiteSpace(octets[start]) { start += 1 }
    guard start < octets.count else { return nil }
    let text = octets.extracting(start...)
    switch text[0] {
    case ASCII.lessThan: return isHTML(text) ? .html : .xml
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
    default: break
    }
    if text.hasPart("-----BEGIN ") || text.hasPrefix("ssh-") { return .pem }
    if text.hasPrefix("eyJ"), text.firstIndex(of: UInt8(ascii: "."), from: 0) != nil {
      return .compactJWS
    }
    return nil
  }

  /// Whether the text begins as an HTML page does; `<!DOCTYPE html` and tags are told without case.
  private static func isHTML(_ text: Span<UInt8>) -> Bool {
    for beginning: StaticString in [
      "<!doctype html", "<html", "<head", "<body", "<form", "<script",
    ] {
      let length = beginning.utf8CodeUnitCount
      guard text.count > length, text.extracting(first: length).equalsIgnoringCase(beginning),
        !ASCII.isLetter(text[length])
      else { continue }
      return true
    }
    // Behind a declaration, a comment or white space.
    guard text.hasPrefix("<?xml") || text.hasPrefix("<!--") else { return false }
    return text.hasPart("<html") || text.hasPart("<HTML") || text.hasPart("<!DOCTYPE html")
  }

  private static func isGraphic(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

  /// Bytes that are looked at.
  private static let sampleLength = 4_096
}
