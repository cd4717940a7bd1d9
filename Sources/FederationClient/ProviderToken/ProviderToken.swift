public import Claims
public import Instants

/// An identity provider's own token, as Access Control Service hands it on in a claim.
///
/// With an access token a program acts as the person at the provider, and at no other service:
/// ``Swift/Sequence/accessToken(of:at:)`` finds the one for a service. Only ``reveal()`` shows the value.
public struct ProviderToken: Sendable, CustomStringConvertible, CustomReflectable {
  /// The claim that held it.
  public let type: ClaimType
  /// The identity provider, such as `Facebook-1234567890`; nil where no claim names one.
  public let provider: String?
  /// Who takes the token: the namespace of its claim, unless ``provider`` names somebody else; then nil.
  public let issuer: TokenProvider?
  /// What the token is for.
  public let kind: Kind
  /// When the provider stops to take it, where a claim says so. Not the expiry of the token around it.
  public let expires: Instant?
  /// What it allows, where a claim says so.
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

  /// The token itself: the only way to it.
  public func reveal() -> String { value.revealed }

  /// Whether the provider still takes it; true where no claim says for how long.
  public func isValid(at now: Instant) -> Bool { expires.map { now < $0 } ?? true }

  /// The kind and the provider, never the token.
  public var description: String {
    (kind == .access ? "an access token" : "a token (\(kind.rawValue))")
      + " of \(provider ?? "a provider")"
      + (expires.map { ", valid until \($0.rfc3339)" } ?? "")
  }

  /// No children, so that `dump` shows no token.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
