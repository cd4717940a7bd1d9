import HTTPExchange
import Claims
import Instants
import Octets
import TokenErrors

extension Session {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("authority", principal.authority)
      writer.member("subject", principal.subject)
      writer.member("provider", provider)
      writer.name("claims")
      writer.array { writer in
        for claim in claims { claim.write(to: &writer) }
      }
      writer.name("providerTokens")
      writer.array { writer in
        for token in providerTokens { token.write(to: &writer) }
      }
      writer.member("scheme", credential.scheme.rawValue)
      writer.member("credential", credential.secret.revealed)
      writer.member("refreshToken", refreshToken?.revealed)
      writer.member("expires", expires?.rfc3339)
      writer.member("signedInAt", signedInAt.rfc3339)
      writer.member("lastUsedAt", lastUsedAt.rfc3339)
      writer.member("idle", lifetime.idle.map { "\($0)" })
      writer.member("absolute", lifetime.absolute.map { "\($0)" })
      writer.name("details")
      writer.strings(details)
    }
  }

  /// - Throws: `input.json-member`, `time.malformed`.
  init(json: JSONValue) throws(TokenError) {
    guard let scheme = json["scheme"]?.string.flatMap(CredentialScheme.init),
      let claims = json["claims"]?.array, let tokens = json["providerTokens"]?.array
    else { throw StoredCredentials.malformed("session") }
    var statements: [Claim] = []
    for claim in claims { statements.append(try Claim(json: claim)) }
    let text = { (name: String) throws(TokenError) in
      try StoredCredentials.string(json[name], name)
    }
    self.init(
      principal: Principal(authority: try text("authority"), subject: try text("subject")),
      claims: ClaimSet(statements), provider: json["provider"]?.string,
      credential: Credential(scheme, Secret(try text("credential"))),
      refreshToken: json["refreshToken"]?.string.map { Secret($0) },
      signedInAt: try Instant(dateTime: try text("signedInAt")),
      lifetime: SessionLifetime(
        idle: json["idle"]?.string.flatMap { Int($0) },
        absolute: json["absolute"]?.string.flatMap { Int($0) }))
    if let end = json["expires"]?.string { expires = try Instant(dateTime: end) }
    lastUsedAt = try Instant(dateTime: try text("lastUsedAt"))
    var kept: [ProviderToken] = []
    for token in tokens { kept.append(try ProviderToken(json: token)) }
    providerTokens = kept
    for (name, value) in try StoredCredentials.member("details", of: json) {
      details[name] = try StoredCredentials.string(value, name)
    }
  }
}

extension Claim {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", type.name)
      writer.member("value", value)
      writer.member("valueType", valueType == Self.stringType ? nil : valueType)
      writer.member("issuer", issuer)
      writer.member("originalIssuer", originalIssuer)
      writer.member("originalName", originalName)
      writer.name("properties")
      writer.strings(properties)
    }
  }

  fileprivate init(json: JSONValue) throws(TokenError) {
    var properties: [String: String] = [:]
    for (name, value) in try StoredCredentials.member("properties", of: json) {
      properties[name] = try StoredCredentials.string(value, name)
    }
    self.init(
      ClaimType(try StoredCredentials.string(json["type"], "type")),
      try StoredCredentials.string(json["value"], "value"),
      issuer: try StoredCredentials.string(json["issuer"], "issuer"),
      valueType: json["valueType"]?.string ?? Self.stringType,
      originalIssuer: json["originalIssuer"]?.string,
      originalName: json["originalName"]?.string, properties: properties)
  }
}

extension ProviderToken {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", type.name)
      writer.member("provider", provider)
      writer.member("expires", expires?.rfc3339)
      writer.member("scopes", scopes.joined(separator: " "))
      writer.member("value", reveal())
    }
  }

  fileprivate init(json: JSONValue) throws(TokenError) {
    var expires: Instant?
    if let text = json["expires"]?.string { expires = try Instant(dateTime: text) }
    self.init(
      type: ClaimType(try StoredCredentials.string(json["type"], "type")),
      provider: json["provider"]?.string, expires: expires,
      scopes: try StoredCredentials.string(json["scopes"], "scopes").split(separator: " ")
        .map(String.init),
      value: Secret(try StoredCredentials.string(json["value"], "value")))
  }
}
