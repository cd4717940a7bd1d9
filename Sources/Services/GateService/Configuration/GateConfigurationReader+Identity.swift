import HTTPExchange
import TokenBasics

extension GateConfigurationReader {
  /// The signed identity for the application; nil where the file has none.
  mutating func readIdentityToken(
    _ json: JSONValue?, beside headers: [HeaderRule], _ providers: [ProviderConfiguration],
    hasTokens: Bool
  ) -> IdentityTokenConfiguration? {
    guard let json else { return nil }
    file.members(json, ["header", "keys", "lifetime", "claims"])
    guard let header = file.text(json["header"]) ?? file.required(json, "header") else {
      return nil
    }
    let place = json["header"] ?? json
    if headers.contains(where: { HeaderSpelling.folded($0.name) == HeaderSpelling.folded(header) }
    )
      || (try? HTTPFields([(header, "")])) == nil
    {
      file.refuse(place, "a header name that no other header is taken for", header)
    }
    if ReservedHeader.contains(header) {
      file.refuse(place, "the name of a header of your own", header)
    }
    let keys = file.texts(json["keys"] ?? file.required(json, "keys"))
    if json["keys"] != nil, keys.isEmpty { file.refuse(json["keys"] ?? json, "a list of files") }
    return IdentityTokenConfiguration(
      header: header, keyFiles: keys,
      lifetime: file.seconds(json["lifetime"], 60, 10...IdentityToken.longestLifetime),
      members: readMembers(json["claims"], providers, hasTokens: hasTokens))
  }

  private mutating func readMembers(
    _ json: JSONValue?, _ providers: [ProviderConfiguration], hasTokens: Bool
  ) -> [IdentityToken.Member] {
    guard let json else { return [] }
    guard let list = json.members else {
      file.refuse(json, "an object of names and claims")
      return []
    }
    var members: [IdentityToken.Member] = []
    for (name, value) in list {
      guard
        let (claim, counted) = readClaim(value, of: name, providers, hasTokens: hasTokens)
      else { continue }
      if Self.ownMembers.contains(name) || name.isEmpty {
        file.refuse(value, "a name that the gate does not write itself", name)
      }
      var member = IdentityToken.Member(
        name, GateClaim.types(claim), of: counted, place: file.place(value))
      member.claim = claim
      members.append(member)
    }
    return members
  }

  /// What every token has (RFC 7519, 4.1), and what would make it a token for another purpose.
  private static let ownMembers: Set<String> = [
    "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "provider", "nonce", "at_hash", "c_hash",
    "events", "cnf", "azp", "scope", "client_id",
  ]
}
