package import TokenErrors

/// The `application/x-www-form-urlencoded` escapes: `+` is a space, `%XX` a byte.
package enum FormEncoding {
  /// Whether `+` stands for a space.
  package enum Plus: Sendable {
    case isSpace
    case isPlus
  }

  /// Decodes `text` once. `+` is looked at before percent escapes are, so `%2b` stays a plus sign.
  ///
  /// - Throws: `input.percent-escape`.
  package static func decode(
    _ text: ArraySlice<UInt8>, plus: Plus = .isSpace
  ) throws(TokenError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      switch byte {
      case ASCII.plus where plus == .isSpace:
        bytes.append(ASCII.space)
      case ASCII.percent:
        guard text.endIndex - index > 2,
          let high = Hex.value(text[index + 1]), let low = Hex.value(text[index + 2])
        else {
          throw TokenError(.malformedPercentEscape, node: "byte \(index)")
        }
        bytes.append(high << 4 | low)
        index += 2
      default:
        bytes.append(byte)
      }
      index += 1
    }
    return bytes
  }

  /// Encodes UTF-8 as .NET's `HttpUtility.UrlEncode` does, which is what ACS signs: `A`–`Z`, `a`–`z`,
  /// `0`–`9` and `-_.!*()` stay, a space becomes `+`, any other byte `%` and two lower-case digits.
  package static func encode(_ text: String) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if ASCII.isLetter(byte) || ASCII.isDigit(byte) || marks.contains(byte) {
        encoded.append(byte)
      } else if byte == ASCII.space {
        encoded.append(ASCII.plus)
      } else {
        encoded.append(ASCII.percent)
        encoded += Hex.encode(CollectionOfOne(byte)).utf8
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static let marks = Array("-_.!*()".utf8)
}
