public import HTTPExchange
import SignIn
import TokenBasics

/// A person who may open the admin pages.
public struct Admin: Sendable {
  /// What an admin may do.
  public enum Role: String, CaseIterable, Sendable {
    /// Looks, and tries rules.
    case viewer
    /// Changes rules, too.
    case editor
  }

  /// The name, which stands in the log beside what was changed.
  public let name: String
  /// The password, or its scrypt form.
  public var password: Secret?
  /// What the admin may do.
  public let role: Role

  /// An admin.
  public init(_ name: String, password: Secret?, role: Role) {
    self.name = name
    self.password = password
    self.role = role
  }
}

/// An admin who signed in.
struct AdminSession {
  /// The session, which its forms repeat in a digest.
  var id: String
  private(set) var admin: String
  private(set) var role: Admin.Role

  init(_ id: String, of admin: String, _ role: Admin.Role) {
    self.id = id
    self.admin = admin
    self.role = role
  }
}

extension Admin.Role: KeptText {}

extension AdminSession: KeptValue {
  static var blank: Self { Self("", of: "", .viewer) }

  mutating func members(_ kept: inout KeptMembers) {
    kept.member("admin", &admin)
    kept.member("role", &role)
  }
}
