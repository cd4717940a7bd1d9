import Octets

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
