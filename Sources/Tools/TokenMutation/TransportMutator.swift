import Federation
import TokenBasics

/// Makes variants of a message's wire form.
struct TransportMutator {
  private let packaging: WirePackaging
  private let original: [UInt8]
  private let list: MutationList

  init(
    _ packaging: WirePackaging, _ original: [UInt8], _ receive: @escaping (Mutation) -> Void
  ) {
    self.packaging = packaging
    self.original = original
    list = MutationList(original: original, receive)
  }

  func all() {
    switch packaging.encoding {
    case .none:
      break
    case .base64:
      let text = Base64.encode(packaging.octets)
      // Elsewhere these would change the format.
      let harmless = ["nbsp", "asterisk", "zero-width", "trailing-bits", "padding-extra"]
      for trick in Base64Tricks.variants(of: text)
      where harmless.contains(trick.name) && !packaging.isDeflated {
        list.add(
          "transport/base64-\(trick.name)", "the message is not canonical base64: \(trick.summary)",
          ["BIND-1"], .malformedBase64, Array(trick.text.utf8))
      }
    case .base64URL:
      break
    case .percentEncodedBase64:
      list.add(
        "transport/bad-escape", "an escape is none", ["BIND-2"], .malformedPercentEscape,
        original + Array("%zz".utf8))
    }
    if packaging.isDeflated, let stream = try? Base64.decode(original.span) {
      for (label, changed) in [("cut", Array(stream.dropLast())), ("longer", stream + [0])] {
        list.add(
          "transport/deflate-\(label)", "the DEFLATE stream does not end where the message does",
          ["BIND-5"], .malformedDeflate, Array(Base64.encode(changed).utf8))
      }
    }
  }
}

/// Base64 text that lenient decoders decode to the same bytes, or to others.
enum Base64Tricks {
  /// The change, and the text; `text` is canonical and long enough.
  static func variants(of text: String) -> [(name: String, summary: String, text: String)] {
    guard text.utf8.count >= 8 else { return [] }
    let middle = text.index(text.startIndex, offsetBy: text.count / 2)
    func inserted(_ piece: String) -> String { text[..<middle] + piece + text[middle...] }
    let digits = text.prefix { $0 != "=" }
    let padding = text.suffix(text.count - digits.count)
    var variants = [
      ("nbsp", "a no-break space is inside", inserted("\u{A0}")),
      ("hyphen", "a hyphen is inside", inserted("-")),
      ("asterisk", "an asterisk is inside", inserted("*")),
      ("padding-inside", "padding is inside", inserted("=")),
      ("padding-extra", "there is more padding than belongs", text + "="),
      ("zero-width", "a zero-width space is inside", inserted("\u{200B}")),
    ]
    if text.contains(where: { $0 == "+" || $0 == "/" }) {
      let other = text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
      variants.append(("url-alphabet", "it is in the alphabet of URLs", String(other)))
    }
    if !padding.isEmpty, let last = digits.utf8.last, let bits = alphabet.firstIndex(of: last) {
      variants.append(("no-padding", "the padding is missing", String(digits)))
      variants.append(("after-padding", "more text follows the padding", text + "AAAA"))
      let other = String(decoding: [alphabet[bits ^ 1]], as: UTF8.self)
      variants.append(
        (
          "trailing-bits", "bits are set that decode to nothing",
          digits.dropLast() + other + padding
        ))
    }
    return variants
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
