import Octets
package import TokenBasics

/// Textual encodings of keys and certificates (RFC 7468).
package enum PEM {
  /// One labelled block.
  package struct Block: Sendable {
    package let label: String
    package let bytes: [UInt8]
  }

  /// The one block with a label that is wanted, or nil when the text has none (DER, for example). Text
  /// around it is ignored, as `openssl x509 -text` writes it.
  ///
  /// - Throws: `key.several` when there are more; `key.unreadable` for a block that is not closed or
  ///   holds no base64.
  package static func onlyBlock(
    of text: [UInt8], labelled isWanted: (String) -> Bool = { _ in true }
  ) throws(TokenError) -> Block? {
    // A byte order mark before the first line is no part of it.
    let lines = text.dropFirst(text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0).split(
      omittingEmptySubsequences: false
    ) {
      $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn
    }
    let begin = Array("-----BEGIN ".utf8)
    let dashes = Array("-----".utf8)
    // A line that only resembles a label counts too: another reader may accept it.
    let wanted = lines.indices.compactMap { (index) -> (index: Int, label: String)? in
      guard lines[index].starts(with: begin) else { return nil }
      var label = lines[index].dropFirst(begin.count)
      while let last = label.last, last == dashes[0] || ASCII.isWhiteSpace(last) {
        label.removeLast()
      }
      let text = String(decoding: label, as: UTF8.self)
      return isWanted(text) ? (index, text) : nil
    }
    guard wanted.count < 2 else {
      let labels = wanted.prefix(4).map(\.label).joined(separator: ", ")
      throw TokenError(
        .severalKeys, expected: "one",
        found: "\(wanted.count) blocks: \(TokenError.excerpt(labels))")
    }
    guard let first = wanted.first?.index, lines[first].count > begin.count + dashes.count,
      lines[first].suffix(dashes.count).elementsEqual(dashes)
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
