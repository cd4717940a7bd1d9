import Octets

/// How types are found by their bytes. A few are looked through by their marks, which costs less than
/// hashes and places.
extension ClaimTableBuilder {
  private static let few = 32

  /// The number of a type, and whether it had one already.
  package mutating func number(of type: ClaimText) -> (number: UInt32, isKnown: Bool) {
    places.isEmpty ? numberAmongFew(type) : numberByPlace(type)
  }

  private mutating func numberAmongFew(_ type: ClaimText) -> (number: UInt32, isKnown: Bool) {
    let mark = mark(type)
    for number in types.indices where types[number].hash == mark {
      if areEqual(types[number].text, type) { return (UInt32(number), true) }
    }
    types.append(ClaimTable.TypeEntry(text: type, hash: mark))
    if types.count > Self.few {
      for number in types.indices {
        types[number].hash = Self.hash(types[number].text, octets, added, hasher)
      }
      enterAll()
    }
    return (UInt32(types.count - 1), false)
  }

  private mutating func numberByPlace(_ type: ClaimText) -> (number: UInt32, isKnown: Bool) {
    let hash = Self.hash(type, octets, added, hasher)
    var place = hash & (places.count &- 1)
    while places[place] != 0 {
      let number = places[place] &- 1
      if types[Int(number)].hash == hash, areEqual(types[Int(number)].text, type) {
        return (number, true)
      }
      place = (place &+ 1) & (places.count &- 1)
    }
    types.append(ClaimTable.TypeEntry(text: type, hash: hash))
    places[place] = UInt32(types.count)
    if types.count * 2 > places.count { enterAll() }
    return (UInt32(types.count - 1), false)
  }

  /// Gives every type a place among at least twice as many as there are, or as was said there would be.
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
  private func areEqual(_ left: ClaimText, _ right: ClaimText) -> Bool {
    right.isAdded
      ? left.hasBytes(added.span.extracting(right.range), in: octets, added)
      : left.hasBytes(octets.span.extracting(right.range), in: octets, added)
  }

  @inline(__always)
  private func mark(_ text: ClaimText) -> Int {
    text.isAdded
      ? ByteHash.mark(added.span.extracting(text.range))
      : ByteHash.mark(octets.span.extracting(text.range))
  }

  // Static, because a call in a loop that changes the builder would have a copy of it.
  private static func hash(
    _ text: ClaimText, _ octets: [UInt8], _ added: [UInt8], _ hasher: ByteHash
  ) -> Int {
    text.isAdded
      ? hasher.hash(added.span.extracting(text.range))
      : hasher.hash(octets.span.extracting(text.range))
  }
}
