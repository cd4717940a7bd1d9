import Claims
import Octets

extension ProviderToken {
  /// What a token is for.
  public enum Kind: String, Hashable, Sendable {
    /// Lets a program act as the person. The only kind that is sent with a request.
    case access
    /// Brings the next access token, at the provider alone.
    case refresh
    /// Says who the person is.
    case identity = "id"
    /// Signs requests or signs in; never sent as it is.
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
