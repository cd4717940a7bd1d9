import BrowserExchange
import Octets
import SecurityKeys
import StrictJSON
import TokenService

/// What an authorization code or a refresh token stands for. It is kept in the store of the service, under the code, so
/// that codes are short whatever is said about a person.
struct Grant {
  enum Kind: String {
    /// A code of OAuth 2.0 draft 13.
    case code
    /// What the refresh tokens of one authorization have in common.
    case family
    /// A code of OpenID Connect.
    case openID
  }

  let kind: Kind
  /// The service identity, or the relying party, to which it was given.
  let client: String
  let realm: String
  /// Where the code went; empty for a family.
  let redirect: String
  /// The challenge whose verifier the exchange needs; nil for none.
  let challenge: String?
  /// Who signed in.
  let subject: SignedInSubject
  /// The session of the browser, with which it ends.
  let session: String
  let expires: Instant
  /// What the ID token repeats.
  var nonce: String?

  /// Seconds: 900 for a code, as Access Control Service had it; 60 for one of OpenID Connect; 30 days for a family.
  static func lifetime(_ kind: Kind) -> Int64 {
    switch kind {
    case .code: 900
    case .family: 2_592_000
    case .openID: 60
    }
  }

  /// The same authorization, for its refresh tokens.
  func family(from now: Instant) -> Self {
    Self(
      kind: .family, client: client, realm: realm, redirect: "", challenge: nil, subject: subject,
      session: session, expires: now.advanced(bySeconds: Self.lifetime(.family)))
  }

  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      for (name, value) in [
        ("kind", kind.rawValue), ("client", client), ("realm", realm), ("redirect", redirect),
        ("challenge", challenge), ("session", session), ("nonce", nonce),
        ("provider", subject.source.name), ("name", subject.name), ("context", subject.context),
      ] {
        guard let value else { continue }
        json.name(text: name)
        json.string(value)
      }
      json.name("expires")
      json.integer(Int(expires.seconds))
      if let instant = subject.authenticated {
        json.name("authenticated")
        json.integer(Int(instant.seconds))
      }
      json.name("emails")
      json.array { json in for email in subject.emails { json.string(email) } }
      json.name("claims")
      json.array { json in
        for claim in subject.claims {
          json.array { json in
            json.string(claim.type.name)
            json.string(claim.value)
            json.string(claim.valueType)
          }
        }
      }
    }
    return json.bytes
  }

  /// The grant that ``json`` wrote; nil for anything else.
  init?(json octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets),
      let kind = json["kind"]?.string.flatMap(Kind.init), let client = json["client"]?.string,
      let realm = json["realm"]?.string, let redirect = json["redirect"]?.string,
      let session = json["session"]?.string, let provider = json["provider"]?.string,
      let expires = json["expires"]?.integer, let list = json["claims"]?.array
    else { return nil }
    let claims = list.compactMap { entry -> Claim? in
      guard let parts = entry.array, parts.count == 3, let type = parts[0].string,
        let value = parts[1].string, let valueType = parts[2].string
      else { return nil }
      return Claim(ClaimType(type), value, valueType: valueType)
    }
    var subject = SignedInSubject(
      ClaimSet(claims), from: .provider(provider), name: json["name"]?.string)
    subject.context = json["context"]?.string
    subject.emails = json["emails"]?.array?.compactMap(\.string) ?? []
    subject.authenticated = json["authenticated"]?.integer.map {
      Instant(secondsSinceEpoch: Int64($0))
    }
    self.init(
      kind: kind, client: client, realm: realm, redirect: redirect,
      challenge: json["challenge"]?.string, subject: subject, session: session,
      expires: Instant(secondsSinceEpoch: Int64(expires)), nonce: json["nonce"]?.string)
  }

  init(
    kind: Kind, client: String, realm: String, redirect: String, challenge: String?,
    subject: SignedInSubject, session: String, expires: Instant, nonce: String? = nil
  ) {
    self.kind = kind
    self.client = client
    self.realm = realm
    self.redirect = redirect
    self.challenge = challenge
    self.subject = subject
    self.session = session
    self.expires = expires
    self.nonce = nonce
  }
}
