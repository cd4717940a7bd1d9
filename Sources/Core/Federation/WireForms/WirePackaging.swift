import Octets
import TokenBasics

/// The encoding layers of a token, removed so that they can be added again.
package struct WirePackaging: Sendable {
  package enum Encoding: Sendable {
    case none
    case base64
    /// With `-` and `_`, without padding.
    case base64URL
    /// Base64 whose `+`, `/` and `=` are percent escapes.
    case percentEncodedBase64
  }

  package enum Content: Sendable {
    case xml
    case pairs
    case compactJWS
  }

  package let encoding: Encoding
  package let content: Content
  /// Whether the base64 decodes to a DEFLATE stream.
  package let isDeflated: Bool
  /// The content: XML, a Simple Web Token, or a compact JWS.
  package let octets: [UInt8]

  /// Removes the layers.
  ///
  /// - Throws: `input.*`; `input.unsupported-format` for `javascriptnotify` JSON.
  package init(_ form: [UInt8], pinned: PinnedFormat? = nil) throws(TokenError) {
    guard !form.allSatisfy(ASCII.isWhiteSpace) else { throw TokenError(.emptyInput) }
    let reader = WireReader(limits: Limits(), pinned: pinned)
    var text = form
    let recognised = reader.form(of: form[...])
    content =
      switch recognised {
      case .pairs: .pairs
      case .compactJWS: .compactJWS
      default: .xml
      }
    switch recognised {
    case .xml, .pairs, .compactJWS:
      (encoding, isDeflated, octets) = (.none, false, form)
      return
    case .base64:
      let hasURLDigits = form.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
      encoding = hasURLDigits ? .base64URL : .base64
    case .percentEncodedBase64:
      encoding = .percentEncodedBase64
      text = try FormEncoding.decode(form[...], plus: .isPlus)
    case .json:
      throw TokenError(.unsupportedFormat, expected: "the token by itself", found: "JSON")
    case .unknown:
      throw TokenError(.unrecognizedInput)
    }
    (octets, isDeflated) = try reader.unpacked(text[...])
  }

  /// Adds the layers.
  package func pack(_ octets: [UInt8]) -> [UInt8] {
    let inner = isDeflated ? Self.stored(octets) : octets
    switch encoding {
    case .none: return inner
    case .base64: return Array(Base64.encode(inner).utf8)
    case .base64URL: return Array(Base64.encode(inner, .url).utf8)
    case .percentEncodedBase64: return Array(FormEncoding.encode(Base64.encode(inner)).utf8)
    }
  }

  /// A DEFLATE stream of stored blocks (RFC 1951, 3.2.4).
  private static func stored(_ octets: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    var rest = octets[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let length = UInt16(block.count)
      let header: [UInt16] = [length, ~length]
      stream.append(rest.isEmpty ? 1 : 0)
      for number in header { stream += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      stream += block
    } while !rest.isEmpty
    return stream
  }
}
