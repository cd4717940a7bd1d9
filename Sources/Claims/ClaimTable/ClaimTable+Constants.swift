extension ClaimTable {
  /// What many claims share; each table's added texts begin with them.
  private static let texts =
    [
      Claim.stringType, ClaimType.nameIdentifier.name, ClaimType.authenticationMethod.name,
      ClaimType.authenticationInstant.name,
    ]
    + [
      "attributename", "friendlyname", "format", "namequalifier", "spnamequalifier",
      "spprovidedid",
    ].map { Claim.propertyPrefix + $0 } + [Claim.jsonType]

  static let constants: [UInt8] = texts.flatMap { Array($0.utf8) }

  private static func constant(_ number: Int) -> ClaimText {
    let start = texts[..<number].reduce(0) { $0 + $1.utf8.count }
    return ClaimText(start..<start + texts[number].utf8.count, isAdded: true)
  }

  /// `xs:string`.
  package static let stringType = constant(0)

  /// The type of JSON text.
  package static let jsonType = constant(10)

  // Types of claims.
  package static let nameIdentifier = constant(1)
  package static let authenticationMethod = constant(2)
  package static let authenticationInstant = constant(3)

  // Names of properties.
  package static let attributeName = constant(4)
  package static let friendlyName = constant(5)
  package static let format = constant(6)
  package static let nameQualifier = constant(7)
  package static let spNameQualifier = constant(8)
  package static let spProvidedID = constant(9)
}
