import Claims
import StrictJSON

extension ClaimTableBuilder {
  /// Adds a claim for each member of the payload over which this is, but for `iss`, `aud`, `exp`, `nbf`
  /// and `jti`: a string as it is, anything else as its JSON text.
  mutating func addMembers(of payload: JSONDocument, issuer: ClaimText, naming: ClaimNaming) {
    for (_, member) in payload.children() {
      if RegisteredClaim.of(member, in: payload)?.isFact == true { continue }
      let written = ClaimText(member.nameRange)
      let type =
        naming == .asWritten
        ? nil : naming.uri(for: payload.string(member.nameRange)).map { add($0) }
      let isText = member.kind == .string
      append(
        number(of: type ?? written).number,
        ClaimText(isText ? member.textRange : member.range),
        valueType: isText ? ClaimTable.stringType : ClaimTable.jsonType, issuer: issuer,
        originalName: written)
    }
  }
}
