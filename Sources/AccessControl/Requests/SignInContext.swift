import BrowserExchange
import Octets
public import TokenErrors

/// What a sign-in is for, as it travels through the identity provider and back (`cx`, `wctx`, `context`).
///
/// Nothing in it is secret or trusted: whoever changes it could have asked for something else in the first place, and
/// realm, addresses and provider are checked again on the way back.
public struct SignInContext: Hashable, Sendable {
  /// How the token gets to the relying party.
  public enum Delivery: String, Sendable {
    /// By a form that the browser posts (WS-Federation).
    case passive = "wsfederation"
    /// By a script, to a program around the browser.
    case notify = "javascriptnotify"
    /// In a response of SAML 2.0 that the browser posts.
    case saml = "samlp"
    /// As an ID token for an authorization code (OpenID Connect).
    case openID = "openid"
    /// As an authorization code for the client of a relying party (OAuth 2.0 draft 13).
    case delegation = "delegation"
  }

  /// How the token gets to the relying party.
  public var delivery: Delivery
  /// The realm of the relying party.
  public var realm: String
  /// The identity provider that was chosen; nil until then.
  public var provider: String?
  /// The return address that was asked for; nil for the first.
  public var reply: String?
  /// What the relying party wants back unchanged.
  public var context: String?
  /// The client that asks for a code.
  public var client: String?
  /// The challenge of its proof key (RFC 7636, 4.2).
  public var challenge: String?

  /// The identifier of the SAML request.
  public var request: String?
  /// The format of the name that the SAML request wants.
  public var nameFormat: String?

  /// The nonce of the ID token.
  public var nonce: String?
  /// How a code is sent: `form_post`, or nil for the query.
  public var mode: String?

  /// A sign-in for a relying party.
  public init(_ delivery: Delivery, realm: String, provider: String? = nil) {
    self.delivery = delivery
    self.realm = realm
    self.provider = provider
  }

  /// As an old service writes it: a form in .NET's URL token encoding, which is base64url followed by the number of
  /// `=` that were removed.
  public var token: String {
    let pairs: [(String, String?)] = [
      ("pr", delivery.rawValue), ("rm", realm), ("ip", provider), ("ry", reply), ("cx", context),
      ("cl", client), ("ch", challenge), ("rq", request), ("nf", nameFormat), ("no", nonce),
      ("rd", mode),
    ]
    let form = pairs.compactMap { name, value in value.map { name + "=" + FormEncoding.encode($0) }
    }
    .joined(separator: "&")
    let base64 = Base64.encode(Array(form.utf8), .url)
    return base64 + "\((4 - base64.utf8.count % 4) % 4)"
  }

  /// Reads ``token``.
  ///
  /// - Throws: `issuing.sign-in-request`.
  public init(token: String) throws(TokenError) {
    let octets = Array(token.utf8)
    guard octets.count <= Self.mostOctets, let last = octets.last,
      (UInt8(ascii: "0")...UInt8(ascii: "2")).contains(last),
      let form = try? Base64.decode(Array(octets.dropLast()), .url),
      let pairs = try? FormReader(form),
      let delivery = pairs["pr"].flatMap(Delivery.init(rawValue:)), let realm = pairs["rm"]
    else { throw TokenError(.issuingRequest, node: "cx", expected: "a context of this service") }
    self.init(delivery, realm: realm, provider: pairs["ip"])
    reply = pairs["ry"]
    context = pairs["cx"]
    client = pairs["cl"]
    challenge = pairs["ch"]
    request = pairs["rq"]
    nameFormat = pairs["nf"]
    nonce = pairs["no"]
    mode = pairs["rd"]
  }

  /// The most octets of a context.
  static let mostOctets = 64 << 10
}
