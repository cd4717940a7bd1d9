/// Scope elements, sorted: server and cache compare a scope regardless of the order of its elements.
enum MobileScope {
  /// The default scope, which every registered client has.
  static let registered = "RegisteredClient"

  static func normalized(_ scope: String?) -> String {
    let elements = Set((scope ?? "").split(separator: " ").map(String.init)).sorted()
    return elements.isEmpty ? registered : elements.joined(separator: " ")
  }
}
