import StrictJSON
import TokenErrors

/// A person's public data at the server.
public struct OPROProfile: Hashable, Sendable {
  /// The person's number at the server.
  public let id: Int
  /// Those attributes whose values are text, such as `email`, `twitter`, `zip`.
  public let attributes: [String: String]

  /// The attribute `email`.
  public var email: String? { attributes["email"] }

  /// Those of `wanted` that the server did not take over. It drops attributes that it does not let a
  /// program change, and says nothing.
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
