public import Claims
public import HTTPExchange
import Octets
public import TokenBasics

/// An identity provider's own token, which Access Control Service passes on in a claim.
///
/// An access token authorizes requests at that provider and at no other service:
/// `accessToken(of:at:)` of a sequence finds the one for a service. Only ``reveal()`` returns the value.
public struct ProviderToken: Sendable, CustomStringConvertible, CustomReflectable {
  /// The type of the claim that contains it.
  public let type: ClaimType
  /// The identity provider, such as `Facebook-1234567890`; nil if no claim names one.
  public let provider: String?
  /// The provider of the claim's namespace, which accepts the token; nil if there is none, or if
  /// ``provider`` contradicts it.
  public let issuer: TokenProvider?
  /// The purpose of the token.
  public let kind: Kind
  /// Its expiry at the provider, if a claim has it. Not the expiry of the token around it.
  public let expires: Instant?
  /// Its scopes, if a claim has them.
  public let scopes: [String]
  private let value: Secret

  init(
    type: ClaimType, provider: String?, expires: Instant?, scopes: [String], value: Secret
  ) {
    self.type = type
    self.provider = provider
    issuer = TokenProvider(of: type).flatMap { $0.agrees(with: provider) ? $0 : nil }
    kind = Kind(of: type)
    self.expires = expires
    self.scopes = scopes
    self.value = value
  }

  /// The token itself. Nothing else returns it.
  public func reveal() -> String { value.revealed }

  /// Whether `now` is before ``expires``; true without an expiry.
  public func isValid(at now: Instant) -> Bool { expires.map { now < $0 } ?? true }

  /// The kind, the provider and the expiry, without the value.
  public var description: String {
    (kind == .access ? "an access token" : "a token (\(kind.rawValue))")
      + " of \(provider ?? "a provider")"
      + (expires.map { ", valid until \($0.rfc3339)" } ?? "")
  }

  /// Has no children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Sequence<ProviderToken> {
  /// The provider's access token that has not expired.
  ///
  /// - Throws: `session.provider-token` if there is none: tokens of another provider, of another kind or
  ///   past their expiry are not used in its place.
  public func accessToken(
    of provider: TokenProvider, at now: Instant
  ) throws(TokenError) -> Secret {
    let own = filter { $0.kind == .access && $0.issuer == provider }
    if let token = own.first(where: { $0.isValid(at: now) }) { return Secret(token.reveal()) }
    throw TokenError(
      .sessionProviderToken, node: "\(provider)", expected: "an access token of \(provider)",
      found: own.compactMap(\.expires).max().map { "one that ended at \($0.rfc3339)" } ?? "none")
  }
}

extension ProviderToken {
  /// The purpose of a token.
  public enum Kind: String, Hashable, Sendable {
    /// Authorizes requests in the person's name. The only kind that is sent with a request.
    case access
    /// Is exchanged for the next access token, at the provider only.
    case refresh
    /// Identifies the person (an ID token of OpenID Connect).
    case identity = "id"
    /// Signs requests or authenticates, and is never sent itself. Any other credential has this kind.
    case secret

    init(of type: ClaimType) {
      let last = type.name.utf8.split(whereSeparator: { "/:#.".utf8.contains($0) }).last ?? []
      let letters = last.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
      switch String(decoding: letters.map(ASCII.lowercased), as: UTF8.self) {
      case "accesstoken": self = .access
      case "refreshtoken": self = .refresh
      case "idtoken": self = .identity
      default: self = .secret
      }
    }
  }
}

extension ProviderToken {
  /// The providers' tokens among the claims of a verified token.
  ///
  /// Claim types end in `AccessToken` or the like (`http://www.facebook.com/claims/AccessToken`); a type
  /// with several different values is ambiguous and left out.
  public static func all<Token>(in token: Verified<Token>) -> [ProviderToken] {
    all(in: token.claims)
  }

  static func all(in claims: ClaimSet) -> [ProviderToken] {
    let provider = claims.single(.identityProvider)
    return claims.grouped.compactMap { type, values in
      guard type.isCredential, Set(values).count == 1, let value = values.first, !value.isEmpty
      else { return nil }
      return ProviderToken(
        type: type, provider: provider, expires: expiry(of: type, in: claims),
        scopes: scopes(of: type, in: claims), value: Secret(value))
    }
  }

  /// ACS writes the token's expiry as `…/2008/06/identity/claims/expiration`, with seven fraction digits;
  /// other issuers use a claim in the token's namespace, also in seconds since 1970.
  private static func expiry(of type: ClaimType, in claims: ClaimSet) -> Instant? {
    let names = [beside(type, "expires"), beside(type, "expiration"), .expiration]
    guard let text = names.lazy.compactMap({ claims.single($0) }).first else { return nil }
    if let seconds = Int64(text), seconds > 0 { return Instant(secondsSinceEpoch: seconds) }
    return try? Instant(dateTime: text)
  }

  private static func scopes(of type: ClaimType, in claims: ClaimSet) -> [String] {
    let text = claims.single(beside(type, "scope")) ?? ""
    return text.split { $0 == " " || $0 == "," }.map(String.init)
  }

  /// Another name in the namespace of `type`.
  private static func beside(_ type: ClaimType, _ name: String) -> ClaimType {
    let octets = type.name.utf8
    let slash = octets.lastIndex(of: UInt8(ascii: "/")).map { octets.index(after: $0) }
    return ClaimType(String(type.name[..<(slash ?? octets.startIndex)]) + name)
  }
}

extension ClaimType {
  /// The expiry of the identity provider's own token.
  static let expiration = Self(windowsPrefix + "expiration")
}

extension TokenProvider {
  /// The provider of the claim type's namespace; nil for a type that is not an http or https address.
  init?(of type: ClaimType) {
    let octets = type.name.utf8
    guard let scheme = ["http://", "https://"].first(where: { octets.starts(with: $0.utf8) }) else {
      return nil
    }
    let host = octets.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "/") }
    let isPlain = host.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "-.".utf8.contains($0)
    }
    guard !host.isEmpty, isPlain else { return nil }
    self.init(host: String(decoding: host, as: UTF8.self))
  }
}
