import XMLOracle

/// Changes a document by cutting and pasting its markup, never by parsing and printing it again:
/// unchanged parts keep their bytes, and with them their signature.
enum XMLMutator {
  static func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    let markup = Markup(octets)
    guard markup.elements.count > 1 else { return ByteMutator.mutate(octets, &random) }
    switch random.below(20) {
    case 0: return duplicate(markup, &random)
    case 1: return delete(markup, &random)
    case 2: return swap(markup, &random)
    case 3: return move(markup, &random)
    case 4: return wrap(markup, &random)
    case 5: return unwrap(markup, &random)
    case 6: return addAttribute(markup, &random)
    case 7: return removeAttribute(markup, &random)
    case 8: return moveAttribute(markup, &random)
    case 9: return renameTag(markup, &random)
    case 10: return changeAttributeValue(markup, &random)
    case 11: return changeText(markup, &random)
    case 12, 13: return insert(random.pick(Phrases.insertions), inTextOf: markup, &random)
    case 14: return insert(random.pick(Phrases.elements), betweenTagsOf: markup, &random)
    case 15: return reencode(markup, &random)
    case 16: return rewriteEmpty(markup, &random)
    case 17: return replaceToken(markup, &random)
    case 18: return copyElementOverAnother(markup, &random)
    default: return ByteMutator.mutate(octets, &random)
    }
  }

  /// An element of the second document put somewhere into the first.
  static func cross(
    _ first: [UInt8], _ second: [UInt8], _ random: inout SplitMix64
  ) -> [UInt8] {
    let from = Markup(second)
    let to = Markup(first)
    guard !from.elements.isEmpty, !to.elements.isEmpty else { return first }
    let element = Array(second[random.pick(from.elements)])
    var octets = first
    if random.chance(50) {
      octets.replaceSubrange(random.pick(to.elements), with: element)
    } else {
      octets.insert(contentsOf: element, at: place(in: to, &random))
    }
    return octets
  }

  // MARK: Elements

  /// A place between two tags or texts, inside the document element more often than not.
  private static func place(in markup: Markup, _ random: inout SplitMix64) -> Int {
    random.pick(markup.tokens.map(\.range.upperBound))
  }

  private static func duplicate(_ markup: Markup, _ random: inout SplitMix64) -> [UInt8] {
    var octets = markup.octets
    let element = Array(octets[random.pick(markup.elements)])
    octets.insert(contentsOf: element, at: place(in: markup, &random))
    return octets
  }

  private static func delete(_ markup: Markup, _ random: inout SplitMix64) -> [UInt8] {
    var octets = markup.octets
    octets.removeSubrange(random.pick(Array(markup.elements.dropFirst())))
    return octets
  }

  private static func swap(_ markup: Markup, _ random: inout SplitMix64) -> [UInt8] {
    let first = random.pick(markup.elements)
    let second = random.pick(markup.elements)
    let (left, right) = first.lowerBound < second.lowerBound ? (first, second) : (second, first)
    guard left.upperBound <= right.lowerBound else { return duplicate(markup, &random) }
    let octets = markup.octets
    return Array(octets[..<left.lowerBound]) + octets[right]
      + octets[left.upperBound..<right.lowerBound] + octets[left] + octets[right.upperBound...]
  }

  private static func move(_ markup: Markup, _ random: inout SplitMix64) -> [UInt8] {
    var octets = markup.octets
    let range = random.pick(Array(markup.elements.dropFirst()))
    let element = Array(octets[range])
    let target = place(in: markup, &random)
    if target <= range.lowerBound {
      octets.removeSubrange(range)
      octets.insert(contentsOf: element, at: target)
    } else if target >= range.upperBound {
      octets.insert(contentsOf: element, at: target)
      octets.removeSubrange(range)
    }
    return octets
  }

  private static func wrap(_ markup: Markup, _ random: inout SplitMix64) -> [UInt8] {
    var octets = markup.octets
    let range = random.pick(markup.elements)
    let (open, close) = random.pick(Phrases.wrappers)
    octets.insert(contentsOf: Array(close.utf8), at: range.upperBound)
    octets.insert(contentsOf: Array(open.utf8), at: range.lowerBound)
    return octets
  }

  private static func unwrap(_ markup: Markup, _ random: inout SplitMix64) -> [UInt8] {
    let range = random.pick(markup.elements)
    let inside = markup.elements.filter {
      $0.lowerBound > range.lowerBound && $0.upperBound < range.upperBound
    }
    guard !inside.isEmpty else { return delete(markup, &random) }
    var octets = markup.octets
    octets.replaceSubrange(range, with: Array(octets[random.pick(inside)]))
    return octets
  }

  private static func copyElementOverAnother(
    _ markup: Markup, _ random: inout SplitMix64
  ) -> [UInt8] {
    var octets = markup.octets
    let element = Array(octets[random.pick(markup.elements)])
    octets.replaceSubrange(random.pick(markup.elements), with: element)
    return octets
  }

  // MARK: Tags

  private static func addAttribute(_ markup: Markup, _ random: inout SplitMix64) -> [UInt8] {
    var octets = markup.octets
    let name = markup.name(at: random.pick(markup.startTags).lowerBound)
    let attribute = random.pick(Phrases.attributes)
    octets.insert(contentsOf: Array(" \(attribute)".utf8), at: name.upperBound)
    return octets
  }

  private static func removeAttribute(_ markup: Markup, _ random: inout SplitMix64) -> [UInt8] {
    var octets = markup.octets
    let attributes = markup.attributes(of: random.pick(markup.startTags))
    guard !attributes.isEmpty else { return addAttribute(markup, &random) }
    octets.removeSubrange(random.pick(attributes))
    return octets
  }

  private static func moveAttribute(_ markup: Markup, _ random: inout SplitMix64) -> [UInt8] {
    var octets = markup.octets
    let attributes = markup.startTags.flatMap { markup.attributes(of: $0) }
    guard !attributes.isEmpty else { return addAttribute(markup, &random) }
    let range = random.pick(attributes)
    let attribute = Array(octets[range])
    let target = markup.name(at: random.pick(markup.startTags).lowerBound).upperBound
    if target <= range.lowerBound {
      if random.chance(70) { octets.removeSubrange(range) }
      octets.insert(contentsOf: attribute, at: target)
    } else if target >= range.upperBound {
      octets.insert(contentsOf: attribute, at: target)
      if random.chance(70) { octets.removeSubrange(range) }
    }
    return octets
  }

  private static func changeAttributeValue(
    _ markup: Markup, _ random: inout SplitMix64
  ) -> [UInt8] {
    var octets = markup.octets
    let attributes = markup.startTags.flatMap { markup.attributes(of: $0) }
    guard !attributes.isEmpty else { return addAttribute(markup, &random) }
    let range = random.pick(attributes)
    guard let quote = octets[range].firstIndex(where: { $0 == 0x22 || $0 == 0x27 }) else {
      return octets
    }
    guard quote + 1 < range.upperBound else { return octets }
    let value = quote + 1..<range.upperBound - 1
    octets.replaceSubrange(value, with: Self.value(octets[value], &random))
    return octets
  }

  /// Renames an element in both its tags.
  private static func renameTag(_ markup: Markup, _ random: inout SplitMix64) -> [UInt8] {
    var octets = markup.octets
    let range = random.pick(markup.elements)
    let old = markup.name(at: range.lowerBound)
    let other = markup.name(at: random.pick(markup.elements).lowerBound)
    let new = random.chance(70) ? Array(octets[other]) : Array(random.pick(Phrases.names).utf8)
    let end = [UInt8(ascii: "<"), UInt8(ascii: "/")] + octets[old] + [UInt8(ascii: ">")]
    if octets[range].count >= end.count, octets[range].suffix(end.count).elementsEqual(end) {
      let name = range.upperBound - 1 - old.count..<range.upperBound - 1
      octets.replaceSubrange(name, with: new)
    }
    octets.replaceSubrange(old, with: new)
    return octets
  }

  /// `<a/>` and `<a></a>` mean the same.
  private static func rewriteEmpty(_ markup: Markup, _ random: inout SplitMix64) -> [UInt8] {
    let tags = markup.ranges(.empty)
    guard !tags.isEmpty else { return reencode(markup, &random) }
    var octets = markup.octets
    let tag = random.pick(tags)
    let name = Array(octets[markup.name(at: tag.lowerBound)])
    octets.replaceSubrange(
      tag.upperBound - 2..<tag.upperBound,
      with: [0x3E, 0x3C, UInt8(ascii: "/")] + name + [0x3E])
    return octets
  }

  private static func replaceToken(_ markup: Markup, _ random: inout SplitMix64) -> [UInt8] {
    var octets = markup.octets
    let other = Array(octets[random.pick(markup.tokens).range])
    octets.replaceSubrange(random.pick(markup.tokens).range, with: other)
    return octets
  }

  // MARK: Text

  private static func changeText(_ markup: Markup, _ random: inout SplitMix64) -> [UInt8] {
    var octets = markup.octets
    let texts = markup.ranges(.text)
    guard !texts.isEmpty else { return addAttribute(markup, &random) }
    let range = random.pick(texts)
    octets.replaceSubrange(range, with: value(octets[range], &random))
    return octets
  }

  private static func insert(
    _ phrase: String, inTextOf markup: Markup, _ random: inout SplitMix64
  ) -> [UInt8] {
    var octets = markup.octets
    let texts = markup.ranges(.text)
    guard !texts.isEmpty else { return insert(phrase, betweenTagsOf: markup, &random) }
    let range = random.pick(texts)
    octets.insert(
      contentsOf: Array(phrase.utf8), at: range.lowerBound + random.below(range.count + 1))
    return octets
  }

  private static func insert(
    _ phrase: String, betweenTagsOf markup: Markup, _ random: inout SplitMix64
  ) -> [UInt8] {
    var octets = markup.octets
    octets.insert(contentsOf: Array(phrase.utf8), at: place(in: markup, &random))
    return octets
  }

  /// Writes characters of a text or a value in equivalent encodings.
  private static func reencode(_ markup: Markup, _ random: inout SplitMix64) -> [UInt8] {
    var octets = markup.octets
    let values = markup.startTags.flatMap { markup.attributes(of: $0) }.compactMap { range in
      octets[range].firstIndex { $0 == 0x22 || $0 == 0x27 }.map { quote in
        quote + 1..<max(quote + 1, range.upperBound - 1)
      }
    }
    let places = (markup.ranges(.text) + values).filter { !$0.isEmpty }
    guard !places.isEmpty else { return octets }
    let range = random.pick(places)
    let index = range.lowerBound + random.below(range.count)
    guard octets[index] < 0x80, octets[index] != UInt8(ascii: "&") else { return octets }
    let hexadecimal = random.chance(50)
    let reference =
      hexadecimal ? "&#x\(String(octets[index], radix: 16));" : "&#\(octets[index]);"
    octets.replaceSubrange(index...index, with: Array(reference.utf8))
    return octets
  }

  private static func value(_ old: ArraySlice<UInt8>, _ random: inout SplitMix64) -> [UInt8] {
    switch random.below(4) {
    case 0: ByteMutator.mutate(Array(old), &random)
    case 1: Array(random.pick(Phrases.values).utf8)
    case 2: Array(old) + Array(random.pick(Phrases.values).utf8)
    default: random.chance(50) ? [] : Array(old.reversed())
    }
  }
}
