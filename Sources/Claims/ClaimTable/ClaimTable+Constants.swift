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
