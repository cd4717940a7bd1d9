import SingleSignOn

/// A `Set-Cookie` value (RFC 6265, 4.1): always `HttpOnly`, for the whole host, and `Secure` over https.
struct SetCookie {
  enum SameSite: String {
    /// Comes along when a link is followed, not with a form of another site.
    case lax = "Lax"
    /// Comes along with the form that an identity provider posts.
    case none = "None"
  }

  let name: String
  let value: Secret
  /// Seconds; nil for as long as the browser runs, 0 to remove it.
  let maximumAge: Int64?
  let sameSite: SameSite

  /// - Parameter isSecure: Over plain http on loopback `SameSite=None` would be refused by browsers.
  func text(isSecure: Bool) -> String {
    var text = "\(name)=\(value.revealed); Path=/; HttpOnly"
    if let maximumAge { text += "; Max-Age=\(maximumAge)" }
    if isSecure { text += "; Secure" }
    return text + "; SameSite=" + (isSecure ? sameSite : .lax).rawValue
  }

  static func removing(_ name: String, _ sameSite: SameSite) -> Self {
    Self(name: name, value: Secret(""), maximumAge: 0, sameSite: sameSite)
  }
}
