import Octets

/// How types are found by their bytes. A few are looked through by their marks, which costs less than
/// hashes and places.
extension ClaimTableBuilder {
  func find(_ text: ClaimText, _ hash: Int) -> UInt32? {
    guard !places.isEmpty else {
      for number in types.indices where types[number].hash == hash {
        if areEqual(types[number].text, text) { return UInt32(truncatingIfNeeded: number) }
      }
      return nil
    }
    var place = hash & (places.count &- 1)
    while places[place] != 0 {
      let number = places[place] &- 1
      if types[Int(number)].hash == hash, areEqual(types[Int(number)].text, text) { return number }
      place = (place &+ 1) & (places.count &- 1)
    }
    return nil
  }

  mutating func enterLastType() {
    let few = 16
    guard types.count > few else { return }
    if places.isEmpty {
      for number in types.indices { types[number].hash = hash(types[number].text) }
    }
    if types.count * 2 > places.count {
      places = Array(repeating: 0, count: placeCount)
      for number in types.indices { enter(number) }
    } else {
      enter(types.count - 1)
    }
  }

  /// At least twice as many as there are types, or as was said there would be.
  private var placeCount: Int {
    var count = 64
    while count < 2 * max(types.count, types.capacity) { count *= 2 }
    return count
  }

  private mutating func enter(_ number: Int) {
    var place = types[number].hash & (places.count &- 1)
    while places[place] != 0 { place = (place &+ 1) & (places.count &- 1) }
    places[place] = UInt32(truncatingIfNeeded: number) &+ 1
  }

  /// Whether both texts are the same bytes.
  func areEqual(_ left: ClaimText, _ right: ClaimText) -> Bool {
    switch (left.isAdded, right.isAdded) {
    case (false, false): Bytes.areEqual(octets, left.range, octets, right.range)
    case (false, true): Bytes.areEqual(octets, left.range, added, right.range)
    case (true, false): Bytes.areEqual(added, left.range, octets, right.range)
    case (true, true): Bytes.areEqual(added, left.range, added, right.range)
    }
  }

  func mark(_ text: ClaimText) -> Int {
    text.isAdded
      ? ByteHash.mark(added.span.extracting(text.range))
      : ByteHash.mark(octets.span.extracting(text.range))
  }

  func hash(_ text: ClaimText) -> Int {
    text.isAdded
      ? hasher.hash(added.span.extracting(text.range))
      : hasher.hash(octets.span.extracting(text.range))
  }
}
