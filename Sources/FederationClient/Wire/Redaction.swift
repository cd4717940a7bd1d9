import HTTPExchange
import Octets
import StrictJSON
import TokenErrors

/// Takes known secrets out of text that a server wrote: services echo client secrets and tokens in
/// their messages.
struct Redaction {
  private let patterns: [[UInt8]]

  /// Hides these and their usual spellings: percent-encoded with either case of digits, form-encoded,
  /// and as a JSON string.
  init(_ secrets: [Secret]) {
    var patterns: Set<[UInt8]> = []
    for text in secrets.map(\.revealed) where !text.isEmpty {
      let percent = HTTPURL.percentEncoded(text)
      var json = JSONWriter()
      json.string(text)
      patterns.formUnion([
        Array(text.utf8), Array(percent.utf8), Self.lowerCaseEscapes(percent),
        Array(FormEncoding.encode(text).utf8), Array(json.bytes.dropFirst().dropLast()),
      ])
    }
    // The longest first, so that no pattern leaves the end of another one behind.
    self.patterns = patterns.sorted { $0.count > $1.count }
  }

  /// The text with `***` in place of each secret.
  func mask(_ text: String) -> String { mask(Array(text.utf8)) }

  func mask(_ bytes: [UInt8]) -> String {
    var output: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if let hit = patterns.first(where: { bytes[index...].starts(with: $0) }) {
        output += Array("***".utf8)
        index += hit.count
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// A server's sentence, fit for an error.
  func excerpt(_ text: String) -> String { TokenError.excerpt(mask(text)) }

  private static func lowerCaseEscapes(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    for index in bytes.indices where bytes[index] == ASCII.percent && index + 2 < bytes.count {
      bytes[index + 1] = ASCII.lowercased(bytes[index + 1])
      bytes[index + 2] = ASCII.lowercased(bytes[index + 2])
    }
    return bytes
  }
}
