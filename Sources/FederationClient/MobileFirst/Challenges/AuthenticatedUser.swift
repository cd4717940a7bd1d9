public import Instants
import StrictJSON

/// Who the person is, as a security check knows.
public struct AuthenticatedUser: Hashable, Sendable {
  public let id: String
  public let displayName: String?
  public let authenticatedAt: Instant?
  /// The check that knows.
  public let authenticatedBy: String?
  /// Those attributes whose values are text.
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
