package import Octets

/// The claims and facts of a token as ranges of its octets: a `String` is made on access only. A class, so
/// that copying is one retain.
package final class ClaimTable: ClaimTexts, Sendable {
  /// One claim.
  package struct Record: BitwiseCopyable, Sendable {
    /// The number of the claim's type among ``ClaimTable/types``.
    package let type: UInt32
    package let value: ClaimText
    package let valueType: ClaimText
    package internal(set) var issuer: ClaimText
    package let originalIssuer: ClaimText?
    package let originalName: ClaimText
    let firstProperty: UInt32
    let propertyCount: UInt32
    /// The next claim of the type, 0 for none.
    package internal(set) var next: UInt32 = 0

    var properties: Range<Int> { Int(firstProperty)..<Int(firstProperty) + Int(propertyCount) }
  }

  /// A property of a claim.
  package struct Property: Sendable {
    let name: ClaimText
    let value: ClaimText
  }

  /// A type, and which claims have it.
  package struct TypeEntry: BitwiseCopyable, Sendable {
    package let text: ClaimText
    /// The mark of the type's bytes while there are few types, else their hash.
    var hash: Int
    /// `UInt32.max` for none yet.
    package private(set) var first = UInt32.max
    private var last: UInt32 = 0

    init(text: ClaimText, hash: Int) {
      self.text = text
      self.hash = hash
    }

    /// Adds a claim of the type. Returns the claim before it.
    mutating func add(claim number: UInt32) -> UInt32? {
      defer { last = number }
      guard first == .max else { return last }
      first = number
      return nil
    }
  }

  /// The octets of the token, or what they were decoded to: valid UTF-8 wherever a text is.
  package let octets: [UInt8]
  private let addedTexts: AddedTexts
  package let records: GrowableBuffer<Record>
  package let types: GrowableBuffer<TypeEntry>
  let properties: [Property]
  package let facts: FactTexts

  init(_ builder: consuming ClaimTableBuilder, _ facts: FactTexts = FactTexts()) {
    self.facts = facts
    octets = builder.octets
    addedTexts = builder.added
    properties = builder.properties
    records = builder.records
    types = builder.types
  }

  /// Texts that are not in the octets.
  package var added: [UInt8] { addedTexts.octets }

  /// Whether no claim before this one has its type.
  package func isFirst(_ number: Int) -> Bool {
    Int(types[Int(records[number].type)].first) == number
  }

  /// The number of the next claim of the same type.
  package func next(after number: Int) -> Int? {
    let next = records[number].next
    return next == 0 ? nil : Int(next)
  }

  /// The text as a `String`.
  package func string(_ text: ClaimText) -> String {
    text.string(in: octets, addedTexts)
  }

  /// Whether the text is exactly the bytes of `string`.
  package func hasBytes(_ text: ClaimText, of string: String) -> Bool {
    text.hasBytes(string.utf8.span, in: octets, addedTexts)
  }

  /// The number of the type with exactly these bytes.
  func number(named name: String) -> Int? {
    types.indices.first { hasBytes(types[$0].text, of: name) }
  }

  /// The claims of a type in order.
  func claims(ofType type: Int) -> [Record] {
    guard types[type].first != .max else { return [] }
    return sequence(first: Int(types[type].first), next: next).map { records[$0] }
  }
}
