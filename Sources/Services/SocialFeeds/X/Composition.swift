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
