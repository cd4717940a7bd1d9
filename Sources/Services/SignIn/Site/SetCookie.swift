package import HTTPExchange

/// A `Set-Cookie` value (RFC 6265, 4.1): always `HttpOnly`, for the whole host, and `Secure` over https.
package struct SetCookie: Sendable {
  package enum SameSite: String, Sendable {
    /// Comes along when a link is followed, not with a form of another site.
    case lax = "Lax"
    /// Comes along with the form that an identity provider posts.
    case none = "None"
  }

  package let name: String
  package let value: Secret
  /// Seconds; nil for as long as the browser runs, 0 to remove it.
  package let maximumAge: Int64?
  package let sameSite: SameSite

  package init(name: String, value: Secret, maximumAge: Int64?, sameSite: SameSite) {
    self.name = name
    self.value = value
    self.maximumAge = maximumAge
    self.sameSite = sameSite
  }

  /// - Parameter isSecure: Over plain http on loopback `SameSite=None` would be refused by browsers.
  package func text(isSecure: Bool) -> String {
    var text = "\(name)=\(value.revealed); Path=/; HttpOnly"
    if let maximumAge { text += "; Max-Age=\(maximumAge)" }
    if isSecure { text += "; Secure" }
    return text + "; SameSite=" + (isSecure ? sameSite : .lax).rawValue
  }

  package static func removing(_ name: String, _ sameSite: SameSite) -> Self {
    Self(name: name, value: Secret(""), maximumAge: 0, sameSite: sameSite)
  }
}
