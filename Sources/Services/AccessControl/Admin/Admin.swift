public import HTTPExchange
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
  let id: String
  let admin: String
  let role: Admin.Role

  init(_ id: String, of admin: String, _ role: Admin.Role) {
    self.id = id
    self.admin = admin
    self.role = role
  }

  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("admin", admin)
      json.member("role", role.rawValue)
    }
    return json.bytes
  }

  init?(_ id: String, json octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets), let admin = json["admin"]?.string,
      let role = json["role"]?.string.flatMap(Admin.Role.init)
    else { return nil }
    self.init(id, of: admin, role)
  }
}
