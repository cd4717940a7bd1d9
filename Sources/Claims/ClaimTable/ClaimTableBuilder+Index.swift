import Octets

/// Finds types by their bytes. A few are scanned by their marks, which is cheaper than hashes and
/// slots.
extension ClaimTableBuilder {
  private static let few = 32

  /// The number of a type, and whether it had one already.
  @inline(__always)
  package mutating func number(of type: ClaimText) -> (number: UInt32, isKnown: Bool) {
    places.isEmpty ? numberAmongFew(type) : numberByPlace(type)
  }

  @inline(__always)
  private mutating func numberAmongFew(_ type: ClaimText) -> (number: UInt32, isKnown: Bool) {
    let mark = mark(type)
    if !marks.insert(mark), let number = Self.number(of: type, mark, types, octets, added) {
      return (number, true)
    }
    types.append(ClaimTable.TypeEntry(text: type, hash: mark))
    if types.count > Self.few {
      for number in types.indices {
        types[number].hash = Self.hash(types[number].text, octets, added)
      }
      enterAll()
    }
    return (UInt32(types.count - 1), false)
  }

  // Static, because a mutating method would copy the builder.
  private static func number(
    of type: ClaimText, _ mark: Int, _ types: borrowing GrowableBuffer<ClaimTable.TypeEntry>,
    _ octets: [UInt8], _ added: AddedTexts
  ) -> UInt32? {
    for number in types.indices where types[number].hash == mark {
      if areEqual(types[number].text, type, octets, added) { return UInt32(number) }
    }
    return nil
  }

  private mutating func numberByPlace(_ type: ClaimText) -> (number: UInt32, isKnown: Bool) {
    let hash = Self.hash(type, octets, added)
    var place = hash & (places.count &- 1)
    while places[place] != 0 {
      let number = places[place] &- 1
      if types[Int(number)].hash == hash,
        Self.areEqual(types[Int(number)].text, type, octets, added)
      {
        return (number, true)
      }
      place = (place &+ 1) & (places.count &- 1)
    }
    types.append(ClaimTable.TypeEntry(text: type, hash: hash))
    places[place] = UInt32(types.count)
    if types.count * 2 > places.count { enterAll() }
    return (UInt32(types.count - 1), false)
  }

  /// Rebuilds the hash table with at least twice as many slots as types, present or expected.
  private mutating func enterAll() {
    var count = 64
    while count < 2 * max(types.count, expectedCount) { count *= 2 }
    places = Array(repeating: 0, count: count)
    for number in types.indices {
      var place = types[number].hash & (count &- 1)
      while places[place] != 0 { place = (place &+ 1) & (count &- 1) }
      places[place] = UInt32(number + 1)
    }
  }

  /// Whether both texts are the same bytes.
  private static func areEqual(
    _ left: ClaimText, _ right: ClaimText, _ octets: [UInt8], _ added: AddedTexts
  ) -> Bool {
    right.isAdded
      ? left.hasBytes(added.octets.span.extracting(right.range), in: octets, added)
      : left.hasBytes(octets.span.extracting(right.range), in: octets, added)
  }

  @inline(__always)
  private func mark(_ text: ClaimText) -> Int {
    text.isAdded
      ? ByteHash.mark(added.octets.span.extracting(text.range))
      : ByteHash.mark(octets.span.extracting(text.range))
  }

  // Static, as above.
  private static func hash(
    _ text: ClaimText, _ octets: [UInt8], _ added: AddedTexts
  ) -> Int {
    text.isAdded
      ? ByteHash.hash(added.octets.span.extracting(text.range))
      : ByteHash.hash(octets.span.extracting(text.range))
  }
}
