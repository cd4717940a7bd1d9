import Octets

/// Collects the claims of a token for a ``ClaimTable``. It cannot be copied: a copy would copy every
/// claim.
package struct ClaimTableBuilder: ClaimTexts, ~Copyable, Sendable {
  /// The octets of the token, which a reader may append to while it reads.
  package var octets: [UInt8]
  private(set) var added = AddedTexts()
  var records: GrowableBuffer<ClaimTable.Record>
  var types: GrowableBuffer<ClaimTable.TypeEntry>
  var properties: [ClaimTable.Property] = []
  /// The marks of the types, while there are few.
  var marks = SmallBloomFilter()
  /// Where types are by their hash: one more than the number of each, 0 for a free place. A power of two
  /// of places, or none while there are few types.
  var places: [UInt32] = []

  /// `xs:string`, read once for many claims.
  package let stringType = ClaimTable.constants.stringType
  let expectedCount: Int

  package init(over octets: [UInt8], claimCount: Int = 0) {
    self.octets = octets
    expectedCount = claimCount
    records = GrowableBuffer(capacity: claimCount)
    types = GrowableBuffer(capacity: claimCount)
  }

  /// Adds a text that the octets do not have.
  package mutating func add(_ text: String) -> ClaimText {
    added.add { $0.append(contentsOf: text.utf8) }
  }

  /// Adds a text that the octets have in pieces.
  package mutating func add(_ text: ArraySlice<UInt8>) -> ClaimText {
    added.add { $0.append(contentsOf: text) }
  }

  /// Adds two texts with a byte of ASCII between them.
  package mutating func add(
    _ first: ArraySlice<UInt8>, _ separator: UInt8, _ second: ArraySlice<UInt8>
  ) -> ClaimText {
    added.add {
      $0.append(contentsOf: first)
      $0.append(separator)
      $0.append(contentsOf: second)
    }
  }

  /// Adds what `body` writes, at most `count` bytes of UTF-8.
  package mutating func add(
    upTo count: Int, _ body: (inout OutputSpan<UInt8>) -> Void
  ) -> ClaimText {
    added.add { $0.append(addingCapacity: count, initializingWith: body) }
  }

  /// Whether the text is exactly these bytes.
  package func hasBytes(_ text: ClaimText, of bytes: ArraySlice<UInt8>) -> Bool {
    text.hasBytes(bytes.span, in: octets, added)
  }

  /// Whether the text is exactly the bytes of `string`.
  package func hasBytes(_ text: ClaimText, of string: String) -> Bool {
    text.hasBytes(string.utf8.span, in: octets, added)
  }

  /// Adds a property of the claim that ``append(_:_:valueType:issuer:originalIssuer:originalName:properties:)``
  /// adds next.
  package mutating func addProperty(_ name: ClaimText, _ value: ClaimText) {
    properties.append(ClaimTable.Property(name: name, value: value))
  }

  /// How many properties there are.
  package var propertyCount: Int { properties.count }

  /// Adds a claim; its properties are those from `properties` on.
  package mutating func append(
    _ type: UInt32, _ value: ClaimText, valueType: ClaimText = ClaimTable.constants.stringType,
    issuer: ClaimText,
    originalIssuer: ClaimText? = nil, originalName: ClaimText? = nil,
    properties: Range<Int> = 0..<0
  ) {
    let number = UInt32(records.count)
    records.append(
      ClaimTable.Record(
        type: type, value: value, valueType: valueType, issuer: issuer,
        originalIssuer: originalIssuer, originalName: originalName ?? types[Int(type)].text,
        firstProperty: UInt32(properties.lowerBound), propertyCount: UInt32(properties.count)))
    if let earlier = types[Int(type)].add(claim: number) { records[Int(earlier)].next = number }
  }

  /// Adds the only claim of a type, a string without further parts, or the type alone. Returns whether the
  /// type was new. The issuer is set later.
  package mutating func append(only type: ClaimText, _ value: ClaimText?) -> Bool {
    let (typeNumber, isKnown) = number(of: type)
    guard !isKnown else { return false }
    guard let value else { return true }
    let number = UInt32(truncatingIfNeeded: records.count)
    records.append(
      ClaimTable.Record(
        type: typeNumber, value: value, valueType: stringType, issuer: .empty, originalIssuer: nil,
        originalName: type, firstProperty: 0, propertyCount: 0))
    _ = types[Int(typeNumber)].add(claim: number)
    return true
  }

  /// Sets the issuer of all claims so far.
  package mutating func setIssuer(_ issuer: ClaimText) {
    for number in records.indices { records[number].issuer = issuer }
  }

  /// The text as a `String`.
  package func string(_ text: ClaimText) -> String {
    text.string(in: octets, added)
  }
}

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
