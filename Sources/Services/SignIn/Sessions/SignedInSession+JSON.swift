import HTTPExchange
import Federation
import Octets

extension SignedInSession {
  /// The session as JSON in UTF-8, for a store outside of the process; times are exact to a second.
  ///
  /// It holds the claims and the ID token: a store encrypts it, or keeps it where only the service reads.
  public var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("provider", provider)
      json.member("issuer", principal.issuer)
      json.member("subject", principal.subject)
      json.member("format", principal.format.name)
      json.member("idToken", idToken?.revealed)
      json.member("index", principal.issuerSession.index)
      if let name = principal.issuerSession.name {
        json.member("name", name.text)
        json.member("nameFormat", name.format)
        json.member("nameQualifier", name.nameQualifier)
        json.member("spNameQualifier", name.spNameQualifier)
      }
      for (name, instant) in [
        ("begun", begun), ("end", end), ("lastUse", lastUse),
        ("issuerEnd", principal.issuerSession.end),
      ] {
        guard let instant else { continue }
        json.name(text: name)
        json.integer(Int(instant.seconds))
      }
      if isRehearsal {
        json.name("rehearsal")
        json.bool(true)
      }
      json.name("warnings")
      json.array { json in for warning in principal.warnings { json.string(warning) } }
      json.name("claims")
      json.array { json in
        for claim in principal.claims {
          Self.write(claim, to: &json)
        }
      }
    }
    return json.bytes
  }

  /// The session that ``json`` wrote; nil for anything else.
  public init?(json octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets),
      let provider = json["provider"]?.string, let issuer = json["issuer"]?.string,
      let subject = json["subject"]?.string,
      let format = json["format"]?.string.flatMap({ TokenFormat($0) }),
      let begun = Self.instant(json["begun"]), let end = Self.instant(json["end"]),
      let lastUse = Self.instant(json["lastUse"]), let claims = json["claims"]?.array
    else { return nil }
    let name = json["name"]?.string.map {
      SubjectName(
        $0, format: json["nameFormat"]?.string, nameQualifier: json["nameQualifier"]?.string,
        spNameQualifier: json["spNameQualifier"]?.string)
    }
    self.init(
      principal: FederatedPrincipal(
        issuer: issuer, subject: subject, claims: ClaimSet(claims.compactMap(Self.claim)),
        format: format,
        issuerSession: IssuerSession(
          index: json["index"]?.string, name: name, end: Self.instant(json["issuerEnd"])),
        warnings: json["warnings"]?.array?.compactMap(\.string) ?? []),
      provider: provider, begun: begun, end: end, lastUse: lastUse,
      idToken: json["idToken"]?.string.map(Secret.init))
    isRehearsal = json["rehearsal"]?.bool == true
  }

  private static func instant(_ json: JSONValue?) -> Instant? {
    json?.integer.map { Instant(secondsSinceEpoch: Int64($0)) }
  }

  private static func write(_ claim: Claim, to json: inout JSONWriter) {
    json.object { json in
      for (name, text) in [
        ("type", claim.type.name), ("value", claim.value), ("issuer", claim.issuer),
        ("valueType", claim.valueType), ("originalIssuer", claim.originalIssuer),
        ("originalName", claim.originalName),
      ] {
        json.member(named: name, text)
      }
      guard !claim.properties.isEmpty else { return }
      json.name("properties")
      json.object { json in
        for (name, value) in claim.properties {
          json.member(named: name, value)
        }
      }
    }
  }

  private static func claim(_ json: JSONValue) -> Claim? {
    guard let type = json["type"]?.string, let value = json["value"]?.string,
      let issuer = json["issuer"]?.string, let valueType = json["valueType"]?.string
    else { return nil }
    var properties: [String: String] = [:]
    for (name, value) in json["properties"]?.members ?? [] { properties[name] = value.string }
    return Claim(
      ClaimType(type), value, issuer: issuer, valueType: valueType,
      originalIssuer: json["originalIssuer"]?.string,
      originalName: json["originalName"]?.string, properties: properties)
  }
}
