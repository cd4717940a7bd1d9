import HTTPExchange
import SecurityKeys
package import SignIn
import TokenBasics

/// What a sign-in is for, as it travels through the browser and the identity provider and back (`cx`): sealed, so that
/// nobody but the service writes or reads one (``AccessControlSite/seal(_:for:)``).
package struct SignInContext: Hashable, Sendable {
  /// How the token gets to the relying party: the endpoint of a protocol names its own.
  package struct Delivery: Hashable, Sendable {
    /// Its name in a sealed context.
    let name: String
  }

  /// How the token gets to the relying party.
  package var delivery: Delivery
  /// The realm of the relying party.
  package var realm: String
  /// The identity provider that was chosen; nil until then.
  package var provider: String?
  /// The return address that was asked for; nil for the first.
  package var reply: String?
  /// What the relying party wants back unchanged.
  package var relyingPartyState: String?
  /// The client that asks for a code.
  package var client: String?
  /// The challenge of its proof key (RFC 7636, 4.2).
  package var challenge: String?
  /// The identifier of the SAML request.
  package var request: String?
  /// The format of the name that the SAML request wants.
  package var nameFormat: String?
  /// The nonce of the ID token.
  package var nonce: String?
  /// The identifier of the person who has to sign in; nil for anyone.
  package var subject: String?
  /// How a code is sent: `form_post`, or nil for the query.
  package var mode: String?
  /// The scopes of the tokens (OpenID Connect).
  package var scopes: [String] = []
  /// The relying party whose access token is wanted (RFC 8707); nil for none.
  package var resource: String?
  /// What the relying party asks of the sign-in.
  package var demands = SignInDemands()
  /// Differs from sign-in to sign-in: each is finished once.
  package var id = ""
  /// When it was begun.
  package var begun = Instant(secondsSinceEpoch: 0)

  /// A sign-in for a relying party.
  package init(_ delivery: Delivery, realm: String, provider: String? = nil) {
    self.delivery = delivery
    self.realm = realm
    self.provider = provider
  }

  /// Seconds within which a sign-in has to end: an hour, since a page of choices may stay open.
  package static let lifetime: Int64 = 3_600

  /// When it is over.
  var end: Instant { begun.advanced(bySeconds: Self.lifetime) }
}

extension SignInContext {
  /// The members with a short name each: the whole has to fit into an address.
  var json: [UInt8] {
    var json = JSONWriter(capacity: 512)
    json.object { json in
      for (name, value) in [
        ("pr", delivery.name), ("rm", realm), ("ip", provider), ("ry", reply),
        ("cx", relyingPartyState), ("cl", client), ("ch", challenge), ("rq", request),
        ("nf", nameFormat),
        ("no", nonce), ("rd", mode), ("id", id), ("pt", demands.prompt), ("lh", demands.loginHint),
        ("hr", demands.homeRealm), ("rs", resource), ("sj", subject),
        ("sc", scopes.isEmpty ? nil : scopes.joined(separator: " ")),
      ] {
        json.member(named: name, value)
      }
      json.name("at")
      json.integer(Int(begun.seconds))
      if let age = demands.maxAge {
        json.name("ma")
        json.integer(age)
      }
      json.name("fl")
      json.integer((demands.forcesSignIn ? 1 : 0) + (demands.isPassive ? 2 : 0))
      if !demands.contexts.isEmpty {
        json.name("ac")
        json.array { json in for context in demands.contexts { json.string(context) } }
      }
    }
    return json.bytes
  }

  /// The context that ``json`` wrote; nil for anything else.
  init?(json octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets),
      let delivery = json["pr"]?.string.map(Delivery.init),
      let realm = json["rm"]?.string, let id = json["id"]?.string,
      let begun = json["at"]?.integer, let flags = json["fl"]?.integer
    else { return nil }
    self.init(delivery, realm: realm, provider: json["ip"]?.string)
    reply = json["ry"]?.string
    relyingPartyState = json["cx"]?.string
    client = json["cl"]?.string
    challenge = json["ch"]?.string
    request = json["rq"]?.string
    nameFormat = json["nf"]?.string
    nonce = json["no"]?.string
    mode = json["rd"]?.string
    resource = json["rs"]?.string
    subject = json["sj"]?.string
    scopes = json["sc"]?.string?.split(separator: " ").map(String.init) ?? []
    demands.prompt = json["pt"]?.string
    demands.loginHint = json["lh"]?.string
    demands.homeRealm = json["hr"]?.string
    demands.maxAge = json["ma"]?.integer
    demands.forcesSignIn = flags & 1 != 0
    demands.isPassive = flags & 2 != 0
    demands.contexts = json["ac"]?.array?.compactMap(\.string) ?? []
    self.id = id
    self.begun = Instant(secondsSinceEpoch: Int64(begun))
  }
}
