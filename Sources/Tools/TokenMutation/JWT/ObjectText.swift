import Octets

/// The text of a JSON object, member by member.
struct ObjectText {
  let text: String
  private let members: [(name: String, value: String)]
  private let json: JSONValue

  /// Nil for text that is no object.
  init?(_ octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets), let members = json.members
    else { return nil }
    self.json = json
    text = String(decoding: octets, as: UTF8.self)
    self.members = members.map {
      ($0.name, String(decoding: octets[$0.value.range], as: UTF8.self))
    }
  }

  func string(_ name: String) -> String? { json[name]?.string }

  /// The object with another value of one member, which is added when it is not there.
  func setting(_ name: String, _ value: String) -> String { settingAll([(name, value)]) }

  func settingAll(_ changes: [(name: String, value: String)]) -> String {
    var changed = members
    for (name, value) in changes {
      if let index = changed.firstIndex(where: { $0.name == name }) {
        changed[index].value = value
      } else {
        changed.append((name, value))
      }
    }
    return object(changed.map { (quoted($0.name), $0.value) })
  }

  func removing(_ name: String) -> String {
    object(members.filter { $0.name != name }.map { (quoted($0.name), $0.value) })
  }

  /// The object with one more member of that name, added twice where it does not exist.
  func duplicating(_ name: String, _ value: String, spelled: String? = nil) -> String {
    let isThere = members.contains { $0.name == name }
    let own = members.map { (quoted($0.name), $0.value) }
    let copy = ("\"\(spelled ?? name)\"", value)
    return object(own + (isThere ? [] : [(quoted(name), value)]) + [copy])
  }

  private func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\($0.0):\($0.1)" }.joined(separator: ",") + "}"
  }

  private func quoted(_ name: String) -> String {
    var json = JSONWriter()
    json.string(name)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
