import Octets
package import TokenBasics

/// Further names that one issuer gives to claims, as a configuration lists them in `claims`: types of its claims, and ways
/// into nested members. They change no claim; they say where rules and headers look.
public struct ClaimSources: Hashable, Sendable {
  /// The further types, by the first type of the name that they are listed for.
  private var types: [ClaimType: [ClaimType]] = [:]

  /// No further names.
  public init() {}

  /// Reads `{"groups": [["realm_access", "roles"], "https://acme.example/groups"]}`; a single text stands for a list of one.
  ///
  /// - Parameter refuse: Gets each value that is refused, and what is accepted there.
  package init(_ json: JSONValue?, refusing refuse: (JSONValue, String) -> Void) {
    guard let json else { return }
    guard let members = json.members else {
      refuse(json, "an object of names and lists")
      return
    }
    for (name, value) in members {
      let list = value.array ?? [value]
      let read = list.compactMap(Self.type)
      guard read.count == list.count, !read.isEmpty, !name.isEmpty else {
        refuse(
          value,
          "a name of a claim, or a list of names and of paths such as [[\"realm_access\", \"roles\"]]"
        )
        continue
      }
      types[ClaimName.types(name).first ?? ClaimType(name), default: []] += read
    }
  }

  private static func type(_ json: JSONValue) -> ClaimType? {
    if let text = json.string { return text.isEmpty ? nil : ClaimType(text) }
    guard let list = json.array else { return nil }
    let names = list.compactMap(\.string).filter { !$0.isEmpty }
    return names.count == list.count ? ClaimPath.type(names) : nil
  }

  /// Where to look for a claim that a configuration names by its types: the issuer's own names first.
  package func types(for claims: [ClaimType]) -> [ClaimType] {
    guard !types.isEmpty, let first = claims.first, let more = types[first] else { return claims }
    return more + claims
  }

  /// Whether further names are listed for a claim that a configuration names by its types.
  package func lists(_ claims: [ClaimType]) -> Bool {
    claims.contains { types[$0] != nil }
  }

  /// Both, of which these come first.
  package func joined(_ others: ClaimSources) -> ClaimSources {
    var all = self
    for (name, more) in others.types { all.types[name, default: []] += more }
    return all
  }
}
