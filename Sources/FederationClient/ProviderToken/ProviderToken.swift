import BrowserExchange
public import Claims
public import Instants

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
