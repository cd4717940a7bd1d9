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

  /// Read once for many claims.
  private let stringType = ClaimTable.constants.stringType
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
