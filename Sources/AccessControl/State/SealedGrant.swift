import BrowserExchange
import Octets
import SecurityKeys
import StrictJSON
import TokenService

/// What an authorization code or a refresh token stands for. It is sealed into the code itself, so that nothing is lost
/// when the service ends; a replay store remembers those that were used.
struct SealedGrant {
  enum Kind: String {
    case code
    case refresh
    /// A code of OpenID Connect.
    case openID
  }

  let kind: Kind
  /// The service identity to which it was given.
  let client: String
  let realm: String
  /// Where the code went; empty for a refresh token.
  let redirect: String
  /// The challenge whose verifier the exchange needs; nil for none.
  let challenge: String?
  /// The identity provider, and what it said about the subject.
  let provider: String
  let claims: ClaimSet
  let expires: Instant
  /// Differs from grant to grant.
  let id: String
  /// What the ID token repeats.
  var nonce: String?

  /// Seconds: 900 for a code, as Access Control Service had it; 30 days for a refresh token.
  static func lifetime(_ kind: Kind) -> Int64 { kind == .code ? 900 : 2_592_000 }

  func sealed(by key: SealingKey) -> Secret {
    var json = JSONWriter()
    json.object { json in
      for (name, value) in texts {
        json.name(text: name)
        json.string(value)
      }
      json.name("expires")
      json.integer(Int(expires.seconds))
      json.name("claims")
      json.array { json in
        for claim in claims {
          json.array { json in
            json.string(claim.type.name)
            json.string(claim.value)
          }
        }
      }
    }
    return Secret(Base64.encode(key.seal(json.bytes, context: Self.context) ?? [], .url))
  }

  private var texts: [(String, String)] {
    [
      ("kind", kind.rawValue), ("client", client), ("realm", realm), ("redirect", redirect),
      ("challenge", challenge ?? ""), ("provider", provider), ("id", id),
      ("nonce", nonce ?? ""),
    ]
  }

  private static let context = Array("grant".utf8)

  /// The grant of a code or token; nil for one that this service did not seal.
  static func open(_ text: String, with key: SealingKey) -> Self? {
    guard text.utf8.count <= 64 << 10, let octets = try? Base64.decode(Array(text.utf8), .url),
      let plain = key.open(octets, context: context),
      let json = try? JSONParser.parse(plain), let kind = json["kind"]?.string.flatMap(Kind.init),
      let expires = json["expires"]?.integer, let list = json["claims"]?.array
    else { return nil }
    func member(_ name: String) -> String { json[name]?.string ?? "" }
    let claims = list.compactMap { pair -> Claim? in
      guard let parts = pair.array, parts.count == 2, let type = parts[0].string,
        let value = parts[1].string
      else { return nil }
      return Claim(ClaimType(type), value)
    }
    return Self(
      kind: kind, client: member("client"), realm: member("realm"), redirect: member("redirect"),
      challenge: member("challenge").isEmpty ? nil : member("challenge"),
      provider: member("provider"),
      claims: ClaimSet(claims), expires: Instant(secondsSinceEpoch: Int64(expires)),
      id: member("id"),
      nonce: member("nonce").isEmpty ? nil : member("nonce"))
  }
}
