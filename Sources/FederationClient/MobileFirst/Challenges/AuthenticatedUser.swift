public import Instants
import StrictJSON

/// The user whom a security check authenticated.
public struct AuthenticatedUser: Hashable, Sendable {
  /// The check's identifier of the user. Not empty.
  public let id: String
  /// The name for display, if the check sent one.
  public let displayName: String?
  /// The time of the authentication, by the server's clock.
  public let authenticatedAt: Instant?
  /// The name of the check that authenticated the user.
  public let authenticatedBy: String?
  /// The attributes whose values are strings.
  public let attributes: [String: String]

  init?(_ json: JSONValue) {
    guard let id = json["id"]?.string, !id.isEmpty else { return nil }
    self.id = id
    displayName = json["displayName"]?.string
    authenticatedAt = json["authenticatedAt"]?.integer.flatMap(Instant.init(milliseconds:))
    authenticatedBy = json["authenticatedBy"]?.string
    attributes = Dictionary(
      (json["attributes"]?.members ?? []).compactMap { name, value in
        value.string.map { (name, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }
}
