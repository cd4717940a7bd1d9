import HTTPExchange
public import Claims
import Instants
import Octets

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
