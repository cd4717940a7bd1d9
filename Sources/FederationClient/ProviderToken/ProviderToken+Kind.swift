import Claims
import Octets

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
