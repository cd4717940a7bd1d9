/// Scope elements, sorted: the server and the cache know a scope by its elements, not by their order.
enum MobileScope {
  /// The scope of whoever names none: any registered client.
  static let registered = "RegisteredClient"

  static func normalized(_ scope: String?) -> String {
    let elements = Set((scope ?? "").split(separator: " ").map(String.init)).sorted()
    return elements.isEmpty ? registered : elements.joined(separator: " ")
  }
}
