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
  /// The name under which the service keeps it, where it is too long to travel; nil for one that travels whole.
  var keptName: String?

  /// What travels of a context that the service keeps: its name there, and the provider.
  var reference: Self {
    guard let keptName else { return self }
    var reference = Self.blank
    reference.keptName = keptName
    reference.provider = provider
    return reference
  }

  /// A sign-in for a relying party.
  package init(_ delivery: Delivery, realm: String, provider: String? = nil) {
    self.delivery = delivery
    self.realm = realm
    self.provider = provider
  }

  /// The most octets of a context as JSON: its `state` may have 4 KiB. It is kept or travels for everybody who asks.
  static let mostOctets = 16 << 10

  /// Seconds within which a sign-in has to end: an hour, since a page of choices may stay open.
  package static let lifetime: Int64 = 3_600

  /// When it is over.
  var end: Instant { begun.advanced(bySeconds: Self.lifetime) }
}

extension SignInContext.Delivery: KeptText {
  package var keptText: String { name }

  package init?(keptText text: String) { self.init(name: text) }
}

/// The names of members are short: the whole has to fit into an address.
extension SignInContext: KeptValue {
  package static var blank: Self { Self(Delivery(name: ""), realm: "") }

  package mutating func members(_ kept: inout KeptMembers) {
    kept.member("pr", &delivery)
    kept.member("rm", &realm)
    kept.member("ip", &provider)
    kept.member("ry", &reply)
    kept.member("cx", &relyingPartyState)
    kept.member("cl", &client)
    kept.member("ch", &challenge)
    kept.member("rq", &request)
    kept.member("nf", &nameFormat)
    kept.member("no", &nonce)
    kept.member("rd", &mode)
    kept.member("id", &id)
    kept.member("rs", &resource)
    kept.member("sj", &subject)
    var scopes = SpacedTexts(scopes)
    kept.member("sc", &scopes, usually: SpacedTexts([]))
    self.scopes = scopes.texts
    kept.member("at", &begun)
    kept.member("pt", &demands.prompt)
    kept.member("lh", &demands.loginHint)
    kept.member("hr", &demands.homeRealm)
    kept.member("ma", &demands.maxAge)
    var flags = (demands.forcesSignIn ? 1 : 0) + (demands.isPassive ? 2 : 0)
    kept.member("fl", &flags)
    demands.forcesSignIn = flags & 1 != 0
    demands.isPassive = flags & 2 != 0
    kept.member("ac", &demands.contexts, usually: [])
    kept.member("pc", &demands.proxyCount)
    kept.member("pl", &demands.providers, usually: [])
    kept.member("kp", &keptName)
  }
}
