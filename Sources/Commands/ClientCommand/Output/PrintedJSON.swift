import Federation
import FederationClient
import SocialFeeds
import TokenBasics

/// The JSON that the command prints, without secrets.
enum PrintedJSON {
  static func error(_ error: TokenError, attempt: String? = nil) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.name("error")
      json.object { json in
        json.member("code", error.code.rawValue)
        json.member("message", error.message)
        if let node = error.node { json.member("node", node) }
        if let expected = error.expected { json.member("expected", expected) }
        if let found = error.found { json.member("found", found) }
        json.member("hint", error.hint)
        if let attempt { json.member("attempt", attempt) }
      }
    }
    return json.bytes
  }

  static func provider(_ provider: IdentityProvider, _ json: inout JSONWriter) {
    json.object { json in
      json.member("name", provider.name)
      json.member("host", provider.host)
      json.name("emailSuffixes")
      strings(provider.emailSuffixes, &json)
      json.name("requestedScopes")
      strings(provider.requestedScopes, &json)
    }
  }

  static func session(_ session: Session, account: String, at now: Instant) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("account", account)
      json.member("authority", session.principal.authority)
      json.member("subject", session.principal.subject)
      if let provider = session.provider { json.member("provider", provider) }
      json.member("state", state(session.state(at: now)))
      json.member("scheme", session.credential.scheme.rawValue)
      json.member("signedInAt", session.signedInAt.rfc3339)
      if let expires = session.expires { json.member("expires", expires.rfc3339) }
      json.name("renewable")
      json.bool(session.refreshToken != nil)
      json.name("claims")
      claims(session.claims, &json)
      json.name("providerTokens")
      json.array { json in
        for token in session.providerTokens {
          json.object { json in
            json.member("type", token.type.name)
            if let provider = token.provider { json.member("provider", provider) }
            if let expires = token.expires { json.member("expires", expires.rfc3339) }
            json.name("scopes")
            strings(token.scopes, &json)
          }
        }
      }
    }
    return json.bytes
  }

  /// A session in a list.
  static func line(
    _ session: Session, account: String, at now: Instant, _ json: inout JSONWriter
  ) {
    json.object { json in
      json.member("account", account)
      if let service = session.details["service"] { json.member("service", service) }
      if let server = session.details["service.server"] { json.member("server", server) }
      json.member("subject", session.principal.subject)
      json.member("state", state(session.state(at: now)))
    }
  }

  static func preview(_ preview: RequestPreview, _ json: inout JSONWriter) {
    json.object { json in
      json.member("request", preview.line)
      json.name("fields")
      json.array { json in
        for field in preview.fields {
          json.object { json in
            json.member("name", field.name)
            json.member("value", field.value)
          }
        }
      }
      json.member("body", preview.body)
    }
  }

  /// Types and values; a provider's credential is left out.
  static func claims(_ claims: ClaimSet, _ json: inout JSONWriter) {
    json.object { json in
      for (type, values) in claims.grouped where !type.isCredential {
        json.name(text: type.name)
        strings(values, &json)
      }
    }
  }

  static func strings(_ values: [String], _ json: inout JSONWriter) {
    json.array { json in
      for value in values { json.string(value) }
    }
  }

  private static func state(_ state: Session.State) -> String {
    switch state {
    case .usable: "usable"
    case .credentialExpired: "credential-expired"
    case .ended: "ended"
    }
  }
}
