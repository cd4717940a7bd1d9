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

  /// The octets that the text is a range of.
  package func octets(of text: ClaimText) -> [UInt8] { text.isAdded ? added : octets }

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

extension ClaimTableBuilder {
  /// A builder that has these claims.
  init(_ claims: [Claim]) {
    self.init(over: [], claimCount: claims.count)
    // Neighbours mostly share these.
    var issuer = (text: ClaimText.empty, string: "")
    var valueType = (text: ClaimTable.constants.stringType, string: Claim.stringType)
    for claim in claims {
      if !claim.issuer.hasSameBytes(as: issuer.string) {
        issuer = (add(claim.issuer), claim.issuer)
      }
      if !claim.valueType.hasSameBytes(as: valueType.string) {
        valueType = (add(claim.valueType), claim.valueType)
      }
      let firstProperty = propertyCount
      for (name, value) in claim.properties { addProperty(add(name), add(value)) }
      let isRenamed = !claim.originalName.hasSameBytes(as: claim.type.name)
      append(
        number(of: add(claim.type.name)).number, add(claim.value), valueType: valueType.text,
        issuer: issuer.text, originalIssuer: claim.originalIssuer.map { add($0) },
        originalName: isRenamed ? add(claim.originalName) : nil,
        properties: firstProperty..<propertyCount)
    }
  }
}

extension ClaimTable {
  /// The claim at a position.
  func claim(_ position: Int) -> Claim {
    let record = records[position]
    var properties: [String: String] = [:]
    for property in self.properties[record.properties] {
      properties[string(property.name)] = string(property.value)
    }
    let type = string(types[Int(record.type)].text)
    return Claim(
      ClaimType(type), string(record.value), issuer: string(record.issuer),
      valueType: record.valueType == Self.constants.stringType
        ? Claim.stringType : string(record.valueType),
      originalIssuer: record.originalIssuer.map(string),
      originalName: record.originalName == types[Int(record.type)].text
        ? type : string(record.originalName),
      properties: properties)
  }
}

extension ClaimTable {
  /// What many claims share; each table's added texts begin with it.
  package struct Constants: Sendable {
    let octets: [UInt8]
    /// `xs:string`.
    package let stringType: ClaimText
    /// The type of JSON text.
    package let jsonType: ClaimText
    // Types of claims.
    package let nameIdentifier: ClaimText
    package let authenticationMethod: ClaimText
    package let authenticationInstant: ClaimText
    // Names of properties.
    package let attributeName: ClaimText
    package let friendlyName: ClaimText
    package let format: ClaimText
    package let nameQualifier: ClaimText
    package let spNameQualifier: ClaimText
    package let spProvidedID: ClaimText

    fileprivate init() {
      var octets: [UInt8] = []
      func add(_ text: String) -> ClaimText {
        let start = octets.count
        octets += text.utf8
        return ClaimText(start..<octets.count, isAdded: true)
      }
      func property(_ name: String) -> ClaimText { add(Claim.propertyPrefix + name) }
      stringType = add(Claim.stringType)
      jsonType = add(Claim.jsonType)
      nameIdentifier = add(ClaimType.nameIdentifier.name)
      authenticationMethod = add(ClaimType.authenticationMethod.name)
      authenticationInstant = add(ClaimType.authenticationInstant.name)
      attributeName = property("attributename")
      friendlyName = property("friendlyname")
      format = property("format")
      nameQualifier = property("namequalifier")
      spNameQualifier = property("spnamequalifier")
      spProvidedID = property("spprovidedid")
      self.octets = octets
    }
  }

  package static let constants = Constants()
}
