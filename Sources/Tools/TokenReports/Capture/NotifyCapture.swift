import Octets
import TokenBasics

/// Captures a message of `javascriptnotify`: JSON whose `securityToken` is XML, escaped once more.
struct NotifyCapture {
  private let session: CaptureSession

  init(_ session: CaptureSession) { self.session = session }

  func capture(_ token: [UInt8]) throws(TokenError) -> [UInt8] {
    var failure: TokenError?
    let made = JSONScrubber(token, session.replacer) { member, source in
      guard member == "securityToken" else { return nil }
      do throws(TokenError) {
        return try message(source)
      } catch {
        failure = error
        return []
      }
    }.scrub()
    if let failure { throw failure }
    return made
  }

  private func message(_ source: ArraySlice<UInt8>) throws(TokenError) -> [UInt8] {
    let json = ReversibleText(json: source)
    let isEscaped = !json.decoded.contains(ASCII.lessThan)
    let xml = isEscaped ? ReversibleText(xml: json.decoded[...]).decoded : json.decoded
    var made = try XMLCapture(session).capture(xml)
    if isEscaped { made = escaped(made, json.decoded) }
    return quoted(made, source)
  }

  /// The escapes of XML, of those characters that the original escapes.
  private func escaped(_ xml: [UInt8], _ original: [UInt8]) -> [UInt8] {
    let text = String(decoding: original, as: UTF8.self)
    let references = MarkupEscaping.names.map { ($0.octet, "&\($0.name);") }
      .filter { $0.0 == ASCII.ampersand || text.contains($0.1) }
    return xml.flatMap { byte in
      references.first { $0.0 == byte }.map { Array($0.1.utf8) } ?? [byte]
    }
  }

  /// The escapes of JSON, a slash as the original has it.
  private func quoted(_ text: [UInt8], _ original: ArraySlice<UInt8>) -> [UInt8] {
    let escapesSlash = String(decoding: original, as: UTF8.self).contains("\\/")
    return text.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "/"): escapesSlash ? [UInt8(ascii: "\\"), byte] : [byte]
      case 0x0A: Array("\\n".utf8)
      case 0x0D: Array("\\r".utf8)
      case 0x09: Array("\\t".utf8)
      case 0..<0x20: Array("\\u00".utf8) + Array(Hex.encode([byte]).utf8)
      default: [byte]
      }
    }
  }
}
