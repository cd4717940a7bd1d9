import Octets

/// The claims of a session, for the person that they are about.
enum ClaimsReport {
  static func json(_ session: SignedInSession) -> [UInt8] {
    let principal = session.principal
    var json = JSONWriter()
    json.object { json in
      json.member("provider", session.provider)
      json.member("issuer", principal.issuer)
      json.member("subject", principal.subject)
      json.member("format", principal.format.name)
      json.member("begun", session.begun.rfc3339)
      json.member("end", session.end.rfc3339)
      json.name("claims")
      json.array { json in
        for claim in principal.claims {
          json.object { json in
            json.member("type", claim.type.name)
            json.name("value")
            // A provider's credential is nobody's to see (GATE-22).
            json.string(claim.type.isCredential ? "" : claim.value)
            json.member("issuer", claim.issuer)
            json.member("originalIssuer", claim.originalIssuer)
          }
        }
      }
      json.name("warnings")
      json.array { json in for warning in principal.warnings { json.string(warning) } }
    }
    return json.bytes + Array("\n".utf8)
  }
}
