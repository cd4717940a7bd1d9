import SingleSignOn
import StrictJSON

/// The claims of a session, for the person that they are about.
enum ClaimsReport {
  static func json(_ session: SignedInSession) -> [UInt8] {
    let principal = session.principal
    var json = JSONWriter()
    json.object { json in
      func member(_ name: String, _ text: String) {
        json.name(text: name)
        json.string(text)
      }
      member("provider", session.provider)
      member("issuer", principal.issuer)
      member("subject", principal.subject)
      member("format", principal.format.name)
      member("begun", session.begun.rfc3339)
      member("end", session.end.rfc3339)
      json.name("claims")
      json.array { json in
        for claim in principal.claims {
          json.object { json in
            json.name("type")
            json.string(claim.type.name)
            json.name("value")
            // A provider's credential is nobody's to see (GATE-22).
            json.string(claim.type.isCredential ? "" : claim.value)
            json.name("issuer")
            json.string(claim.issuer)
            if let first = claim.originalIssuer {
              json.name("originalIssuer")
              json.string(first)
            }
          }
        }
      }
      json.name("warnings")
      json.array { json in for warning in principal.warnings { json.string(warning) } }
    }
    return json.bytes + Array("\n".utf8)
  }
}
