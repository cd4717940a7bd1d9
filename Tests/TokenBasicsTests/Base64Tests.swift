import Testing
import TokenBasics

@Suite("Base64")
struct Base64Tests {
  @Test(
    "The vectors of RFC 4648 decode and encode",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func vectors(plain: String, encoded: String) throws {
    #expect(try Base64.decode(Array(encoded.utf8)) == Array(plain.utf8))
    #expect(Base64.encode(Array(plain.utf8)) == encoded)
  }

  @Test(
    "Text that is not canonical is refused",
    arguments: [
      "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm8", "Z", "Zm9v=", "Zm9vYg==Zg==", "Zm 9v", "Zm-v",
      "Zm_v", "=", "Zm9v\u{A0}", "Zm9vYg==A", "\0Zm9v", "Zm9v\n",
    ])
  func refuses(text: String) {
    #expect(throws: TokenError(.malformedBase64)) { try Base64.decode(Array(text.utf8)) }
  }

  @Test("White space between digits is skipped where it is allowed, and only XML's")
  func whiteSpace() throws {
    let text = Array(" Zm9v\r\n\tYg = =\n".utf8)
    #expect(try Base64.decode(text, whiteSpace: .skipped) == Array("foob".utf8))
    #expect(throws: TokenError(.malformedBase64)) {
      try Base64.decode(Array("Zm9v\u{A0}".utf8), whiteSpace: .skipped)
    }
  }

  @Test("The URL alphabet has no padding and is not the other one")
  func url() throws {
    #expect(try Base64.decode(Array("-_8".utf8), .url) == [0xFB, 0xFF])
    #expect(throws: TokenError(.malformedBase64)) { try Base64.decode(Array("+/8".utf8), .url) }
    #expect(throws: TokenError(.malformedBase64)) { try Base64.decode(Array("-_8=".utf8), .url) }
    #expect(Base64.encode([0xFB, 0xFF], .url) == "-_8")
  }

  @Test("Every byte string survives a round trip", arguments: 0..<200)
  func roundTrip(length: Int) throws {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ length) }
    #expect(try Base64.decode(Array(Base64.encode(bytes).utf8)) == bytes)
    #expect(try Base64.decode(Array(Base64.encode(bytes, .url).utf8), .url) == bytes)
  }

  @Test("Each byte is a digit or refused wherever it stands", arguments: Base64.Alphabet.all)
  func everyByteEverywhere(alphabet: Base64.Alphabet) throws {
    let digits = Set(alphabet.digits.utf8)
    for length in [8, 32, 36, 64, 100, 192] {
      let text = Array(Base64.encode(Array(repeating: 0x5A, count: length / 4 * 3), alphabet).utf8)
      for place in text.indices {
        var changed = text
        for byte in UInt8.min ... .max {
          changed[place] = byte
          let isDigit = digits.contains(byte)
          let isPadding = alphabet == .standard && byte == UInt8(ascii: "=") && place == length - 1
          let decoded = try? Base64.decode(changed, alphabet)
          // Before padding the last digit must not carry set bits.
          guard !isPadding else { continue }
          #expect((decoded != nil) == isDigit, "byte \(byte) at \(place) of \(length)")
          guard let decoded else { continue }
          #expect(Base64.encode(decoded, alphabet) == String(decoding: changed, as: UTF8.self))
        }
      }
    }
  }
}

extension Base64.Alphabet {
  static let all: [Self] = [.standard, .url]

  var digits: String {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    return letters + (self == .standard ? "+/" : "-_")
  }
}
