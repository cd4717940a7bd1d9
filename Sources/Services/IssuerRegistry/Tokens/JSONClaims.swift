package import Claims
package import JSONWebTokens
package import TokenBasics

/// The members of a JSON object that an issuer answers, as claims: those of a JWT would be the same.
package enum JSONClaims {
  /// One claim for each element of an array, none for null.
  ///
  /// - Parameters:
  ///   - octets: What the object was read from.
  ///   - names: Members that are no claims.
  ///   - properties: Those of each claim.
  package static func claims(
    of json: JSONValue, in octets: [UInt8], issuer: String, naming: ClaimNaming = .asWritten,
    leavingOut names: Set<String>, properties: [String: String] = [:]
  ) -> [Claim] {
    var claims: [Claim] = []
    for (name, value) in json.members ?? [] where !names.contains(name) {
      let type = ClaimType(naming.uri(for: name) ?? name)
      for element in value.array ?? [value] {
        if case .null = element.kind { continue }
        let text = element.string
        let written = octets[element.range.clamped(to: octets.indices)]
        claims.append(
          Claim(
            type, text ?? String(decoding: written, as: UTF8.self), issuer: issuer,
            valueType: text == nil ? JSONWebToken.jsonType : Claim.stringType, originalName: name,
            properties: properties))
      }
    }
    return claims
  }
}
