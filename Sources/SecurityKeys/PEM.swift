import Octets
package import TokenErrors

/// Textual encodings of keys and certificates (RFC 7468).
package enum PEM {
  /// One labelled block.
  package struct Block: Sendable {
    package let label: String
    package let bytes: [UInt8]
  }

  /// The first block with a label that is wanted, or nil when the text has none (DER, for example). Text before it is ignored, as
  /// `openssl x509 -text` writes it.
  ///
  /// - Throws: `key.unreadable` for a block that is not closed or holds no base64.
  package static func firstBlock(
    of text: [UInt8], labelled isWanted: (String) -> Bool = { _ in true }
  ) throws(TokenError) -> Block? {
    let lines = text.split(omittingEmptySubsequences: false) {
      $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn
    }
    let begin = Array("-----BEGIN ".utf8)
    let dashes = Array("-----".utf8)
    guard
      let first = lines.firstIndex(where: {
        $0.starts(with: begin) && $0.count > begin.count + dashes.count
          && $0.suffix(dashes.count).elementsEqual(dashes)
          && isWanted(
            String(
              decoding: $0.dropFirst(begin.count).dropLast(dashes.count), as: UTF8.self))
      })
    else { return nil }
    let label = lines[first].dropFirst(begin.count).dropLast(dashes.count)
    let end = Array("-----END ".utf8) + label + dashes
    guard let last = lines[first...].firstIndex(where: { $0.elementsEqual(end) }) else {
      throw TokenError(.unreadableKey, expected: "an END line for the BEGIN line")
    }
    let body = Array(lines[(first + 1)..<last].joined())
    do {
      return Block(
        label: String(decoding: label, as: UTF8.self),
        bytes: try Base64.decode(body.span, whiteSpace: .skipped))
    } catch {
      throw TokenError(.unreadableKey, expected: "base64 between BEGIN and END")
    }
  }
}
