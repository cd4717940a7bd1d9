import Octets
import Testing
import TokenBasics

@Suite("Sixteen bytes at a time")
struct ByteVectorTests {
  /// The lanes whose highest bit is set.
  private static func places(_ answer: SIMD16<UInt8>) -> [Int] {
    answer.indices.filter { answer[$0] >= 0x80 }
  }

  @Test("Each byte is told from its neighbours", arguments: [0, 0x20, 0x3C, 0x7F, 0x80, 0xFF])
  func equal(byte: UInt8) {
    for value in UInt8.min...UInt8.max {
      for place in [0, 7, 8, 15] {
        var lanes = SIMD16<UInt8>(repeating: value)
        lanes[place] = byte
        let wanted = value == byte ? Array(0..<16) : [place]
        #expect(Self.places(ByteVector.equal(byte, lanes)) == wanted)
      }
    }
  }

  @Test("A byte is below a limit as numbers are", arguments: [1, 10, 26, 0x20, 0x80])
  func below(limit: UInt8) {
    for value in UInt8.min...UInt8.max {
      let lanes = SIMD16<UInt8>(repeating: value)
      #expect(Self.places(ByteVector.below(limit, lanes)).count == (value < limit ? 16 : 0))
    }
  }

  @Test("A text is appended whole, or not at all where a byte is special")
  func append() {
    for count in 0...70 {
      let text = (0..<count).map { UInt8(truncatingIfNeeded: 0x30 + $0) }
      var output = OctetWriter(capacity: 1)
      let isWhole = output.append(text.span, unless: { ByteVector.equal(0x26, $0) })
      #expect(isWhole)
      #expect(output.bytes == text)
      for place in 0..<count {
        var special = text
        special[place] = 0x26
        let isAppended = output.append(special.span, unless: { ByteVector.equal(0x26, $0) })
        #expect(!isAppended)
      }
      #expect(output.bytes == text)
    }
  }

  @Test("A part of a text is appended wherever it stands")
  func parts() {
    let text = (0..<40).map { UInt8($0) }
    for start in 0...40 {
      for end in start...40 {
        var output = OctetWriter(capacity: 1)
        output.append(text, start..<end)
        output.append(0xFF)
        #expect(output.bytes == Array(text[start..<end]) + [0xFF])
      }
    }
  }

  @Test("Base64 of every length is read, broken into lines of any length")
  func base64() throws {
    for count in 0...130 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 89 + count) }
      let text = Array(Base64.encode(bytes).utf8)
      let decoded = try Base64.decode(text)
      #expect(decoded == bytes)
      for width in [1, 5, 16, 64, 76] {
        var lines: [UInt8] = []
        for (place, digit) in text.enumerated() {
          if place > 0, place % width == 0 { lines.append(0x0A) }
          lines.append(digit)
        }
        let joined = try Base64.decode(lines, whiteSpace: .skipped)
        #expect(joined == bytes)
      }
    }
  }

  @Test("No other byte is a digit, wherever it stands")
  func strangers() throws {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    for byte in UInt8.min...UInt8.max {
      for place in [0, 15, 16, 31] {
        var text = [UInt8](repeating: 0x41, count: 48)
        text[place] = byte
        let isRead = (try? Base64.decode(text)) != nil
        #expect(isRead == digits.contains(byte), "\(byte) at \(place)")
      }
    }
  }
}
