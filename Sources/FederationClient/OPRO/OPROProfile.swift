import BrowserExchange
import StrictJSON
import TokenErrors

/// A user's data at the server.
public struct OPROProfile: Hashable, Sendable {
  /// The user's number at the server.
  public let id: Int
  /// The attributes whose values are strings, such as `email`, `twitter`, `zip`.
  public let attributes: [String: String]

  /// The attribute `email`, if there is one.
  public var email: String? { attributes["email"] }

  /// The names in `wanted` whose value the server did not store. It silently drops attributes that a
  /// program may not change.
  public func dropped(of wanted: [String: String]) -> Set<String> {
    Set(wanted.filter { attributes[$0.key] != $0.value }.keys)
  }

  init(_ json: JSONValue) throws(TokenError) {
    guard let members = json.members, let id = json["id"]?.integer else {
      throw JSONAnswer.malformed("an object with a number id", found: json.kindName)
    }
    self.id = id
    attributes = Dictionary(
      members.compactMap { name, value in value.string.map { (name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}
