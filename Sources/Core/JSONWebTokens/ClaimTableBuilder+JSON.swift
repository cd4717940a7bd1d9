import Claims
import TokenBasics

extension ClaimTableBuilder {
  /// Adds the claims of each member of `payload`, the builder's octets, but for `iss`, `aud`, `exp`,
  /// `nbf` and `jti`: one for each element of an array, one for anything else, none for `null`. A string
  /// is its value as it is, anything else its JSON text.
  mutating func addMembers(of payload: JSONDocument, issuer: ClaimText, naming: ClaimNaming) {
    for (place, member) in payload.children() {
      // Patterns, because `==` of an enumeration of another module is called through its witness.
      if case .null = member.kind { continue }
      if RegisteredClaim.of(member, in: payload)?.isFact == true { continue }
      let written = ClaimText(member.nameRange)
      let type =
        naming == .asWritten
        ? nil : naming.uri(for: payload.string(member.nameRange)).map { add($0) }
      guard case .array = member.kind else {
        append(member, number(of: type ?? written).number, written, issuer)
        continue
      }
      for (_, element) in payload.children(of: place) where element.kind != .null {
        append(element, number(of: type ?? written).number, written, issuer)
      }
    }
  }

  private mutating func append(
    _ value: JSONDocument.Node, _ type: UInt32, _ name: ClaimText, _ issuer: ClaimText
  ) {
    let isText = if case .string = value.kind { true } else { false }
    append(
      type, ClaimText(isText ? value.textRange : value.range),
      valueType: isText ? stringType : ClaimTable.constants.jsonType,
      issuer: issuer,
      originalName: name)
  }
}
