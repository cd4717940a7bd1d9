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
    _ text: ArraySlice<UInt8>, plus: Plus = .isSpace, countingFrom origin: Int = 0
  ) throws(TokenError) -> [UInt8] {
    var failure: TokenError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: text.count) { buffer, count in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      do throws(TokenError) {
        _ = try decode(text, plus: plus, countingFrom: origin, into: &output)
      } catch {
        failure = error
      }
      count = unsafe output.finalize(for: buffer)
    }
    if let failure { throw failure }
    return bytes
  }

  /// What escapes stood for, besides printable ASCII.
  package struct Found: Sendable {
    package var control = false
    package var beyondASCII = false
  }

  /// As ``decode(_:plus:countingFrom:)``, into what has room for as many bytes.
  ///
  /// - Throws: `input.percent-escape`.
  package static func decode(
    _ text: ArraySlice<UInt8>, plus: Plus = .isSpace, countingFrom origin: Int = 0,
    into output: inout OutputSpan<UInt8>
  ) throws(TokenError) -> Found {
    let encoded = text.span
    let space = plus == .isSpace ? ASCII.space : ASCII.plus
    var found = Found()
    var failedAt: Int?
    unsafe output.withUnsafeMutableBufferPointer { buffer, count in
      var index = 0
      while index < encoded.count {
        let byte = encoded[index]
        index &+= 1
        var decoded = byte == ASCII.plus ? space : byte
        if byte == ASCII.percent {
          guard encoded.count &- index >= 2, let high = Hex.value(encoded[index]),
            let low = Hex.value(encoded[index &+ 1])
          else {
            failedAt = index &- 1
            return
          }
          decoded = high << 4 | low
          if decoded < 0x20 || decoded == 0x7F { found.control = true }
          if decoded >= 0x80 { found.beyondASCII = true }
          index &+= 2
        }
        // Decoding makes nothing longer, so there is room.
        guard count < buffer.count else {
          failedAt = index &- 1
          return
        }
        unsafe buffer[count] = decoded
        count &+= 1
      }
    }
    if let failedAt {
      throw TokenError(
        .malformedPercentEscape, node: "byte \(text.startIndex + failedAt - origin)")
    }
    return found
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
