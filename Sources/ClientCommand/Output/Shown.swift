import Federation
import FederationClient
import SocialFeeds
import StrictJSON

/// The JSON that the command prints, without secrets.
enum Shown {
  static func error(_ error: TokenError, attempt: String? = nil) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.name("error")
      json.object { json in
        member("code", error.code.rawValue, &json)
        member("message", error.message, &json)
        if let node = error.node { member("node", node, &json) }
        if let expected = error.expected { member("expected", expected, &json) }
        if let found = error.found { member("found", found, &json) }
        if let hint = CommandHint.shown(error.hint) { member("hint", hint, &json) }
        if let attempt { member("attempt", attempt, &json) }
      }
    }
    return json.bytes
  }

  static func provider(_ provider: IdentityProvider, _ json: inout JSONWriter) {
    json.object { json in
      member("name", provider.name, &json)
      member("host", provider.host, &json)
      json.name("emailSuffixes")
      strings(provider.emailSuffixes, &json)
      json.name("requestedScopes")
      strings(provider.requestedScopes, &json)
    }
  }

  static func session(_ session: Session, account: String, at now: Instant) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      member("account", account, &json)
      member("authority", session.principal.authority, &json)
      member("subject", session.principal.subject, &json)
      if let provider = session.provider { member("provider", provider, &json) }
      member("state", state(session.state(at: now)), &json)
      member("scheme", session.credential.scheme.rawValue, &json)
      member("signedInAt", session.signedInAt.rfc3339, &json)
      if let expires = session.expires { member("expires", expires.rfc3339, &json) }
      json.name("renewable")
      json.bool(session.refreshToken != nil)
      json.name("claims")
      claims(session.claims, &json)
      json.name("providerTokens")
      json.array { json in
        for token in session.providerTokens {
          json.object { json in
            member("type", token.type.name, &json)
            if let provider = token.provider { member("provider", provider, &json) }
            if let expires = token.expires { member("expires", expires.rfc3339, &json) }
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
      member("account", account, &json)
      if let service = session.details["service"] { member("service", service, &json) }
      if let server = session.details["service.server"] { member("server", server, &json) }
      member("subject", session.principal.subject, &json)
      member("state", state(session.state(at: now)), &json)
    }
  }

  static func preview(_ preview: RequestPreview, _ json: inout JSONWriter) {
    json.object { json in
      member("request", preview.line, &json)
      json.name("fields")
      json.array { json in
        for field in preview.fields {
          json.object { json in
            member("name", field.name, &json)
            member("value", field.value, &json)
          }
        }
      }
      member("body", preview.body, &json)
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

  static func member(_ name: StaticString, _ value: String, _ json: inout JSONWriter) {
    json.name(name)
    json.string(value)
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
