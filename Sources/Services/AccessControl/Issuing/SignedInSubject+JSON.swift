import Claims
import TokenBasics

/// How a store keeps a subject: as members of an object.
extension SignedInSubject {
  func write(to json: inout JSONWriter) {
    json.member("provider", source.name)
    json.member("name", name)
    json.member("context", context)
    if let authenticated {
      json.name("authenticated")
      json.integer(Int(authenticated.seconds))
    }
    if let actor {
      json.name("act")
      json.raw(actor.json)
    }
    json.name("emails")
    json.array { json in for email in emails { json.string(email) } }
    json.name("claims")
    json.array { json in
      for claim in claims {
        json.array { json in
          json.string(claim.type.name)
          json.string(claim.value)
          json.string(claim.valueType)
        }
      }
    }
  }

  /// The subject that ``write(to:)`` wrote; nil for anything else.
  init?(_ json: JSONValue) {
    guard let list = json["claims"]?.array else { return nil }
    let claims = list.compactMap { entry -> Claim? in
      guard let parts = entry.array, parts.count == 3, let type = parts[0].string,
        let value = parts[1].string, let valueType = parts[2].string
      else { return nil }
      return Claim(ClaimType(type), value, valueType: valueType)
    }
    self.init(
      ClaimSet(claims), from: json["provider"]?.string.map { .provider($0) } ?? .service,
      name: json["name"]?.string)
    context = json["context"]?.string
    emails = json["emails"]?.array?.compactMap(\.string) ?? []
    authenticated = json["authenticated"]?.integer.map { Instant(secondsSinceEpoch: Int64($0)) }
    actor = json["act"].flatMap { try? ActorChain($0, issuer: nil) }
  }
}
