/// The weighted length of a post on X, as its published configuration (version 3) defines it: letters of
/// most alphabets count 1, everything else 2, an emoji 2 however it is composed, a link 23.
enum XLength {
  static let limit = 280

  static func count(_ text: String) -> Int {
    var count = 0
    var index = text.startIndex
    while index < text.endIndex {
      if let end = XLinks.end(ofLinkAt: index, in: text) {
        count += 23
        index = end
      } else {
        count += weight(of: text[index])
        index = text.index(after: index)
      }
    }
    return count
  }

  private static func weight(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    if isEmoji(scalars) { return 2 }
    guard scalars.count > 1 else { return scalars.first.map(weight) ?? 0 }
    return Composition.scalars(of: character).reduce(0) { $0 + weight($1) }
  }

  private static func weight(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0...0x10FF, 0x2000...0x200D, 0x2010...0x201F, 0x2032...0x2037: 1
    default: 2
    }
  }

  /// An emoji by itself (© and ® are), or a digit made one by U+FE0F or a keycap.
  private static func isEmoji(_ scalars: Character.UnicodeScalarView) -> Bool {
    guard let first = scalars.first, first.properties.isEmoji else { return false }
    if first.value > 0x7F { return true }
    return scalars.dropFirst().contains {
      $0.value == 0xFE0F || $0.value == 0x20E3
    }
  }
}

/// Canonical composition (NFC) of one character, for counting.
///
/// The standard library has no composition but compares canonically, so a decomposed character finds its
/// composed equivalent by a look-up.
enum Composition {
  /// The scalars of the composed form: the longest composed beginning, then the rest.
  static func scalars(of character: Character) -> [Unicode.Scalar] {
    let scalars = Array(character.unicodeScalars)
    var length = scalars.count
    while length > 1 {
      var beginning = String.UnicodeScalarView()
      beginning.append(contentsOf: scalars[..<length])
      let text = String(beginning)
      if text.count == 1, let first = text.first, let twin = twins[first] {
        return [twin] + scalars[length...]
      }
      length -= 1
    }
    return scalars
  }

  /// Composed letters of the blocks that contain any: Latin, Greek, Cyrillic, Arabic, Indic, kana, Hangul.
  private static let twins: [Character: Unicode.Scalar] = {
    var twins: [Character: Unicode.Scalar] = [:]
    let blocks: [ClosedRange<UInt32>] = [
      0xC0...0x24F, 0x370...0x4FF, 0x622...0x6D3, 0x929...0xDDE, 0x1E00...0x1FFF,
      0x3040...0x30FF, 0xAC00...0xD7A3,
    ]
    for value in blocks.joined() {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic else { continue }
      // The first of several is kept; canonical singletons compose to the other one anyway.
      let character = Character(scalar)
      if twins[character] == nil { twins[character] = scalar }
    }
    return twins
  }()
}
