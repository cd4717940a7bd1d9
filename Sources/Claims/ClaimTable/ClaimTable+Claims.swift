import Octets

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
