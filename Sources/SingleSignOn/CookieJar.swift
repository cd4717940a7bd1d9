public import BrowserExchange

/// The cookies of one request that belong to pending sign-ins, by their names.
public struct CookieJar: Sendable, CustomStringConvertible, CustomReflectable {
  private let values: [String: Secret]

  /// The cookies of a request. A name that occurs twice is left out: two readers would disagree.
  public init(_ cookies: [(name: String, value: String)]) {
    var values: [String: Secret] = [:]
    var repeated: Set<String> = []
    for (name, value) in cookies where values.updateValue(Secret(value), forKey: name) != nil {
      repeated.insert(name)
    }
    for name in repeated { values[name] = nil }
    self.values = values
  }

  /// The value of a cookie.
  public subscript(name: String) -> Secret? { values[name] }

  /// The names, sorted.
  public var names: [String] { values.keys.sorted() }

  /// The names alone.
  public var description: String { "cookies \(names.joined(separator: ", "))" }

  /// Has no children, so that a dump shows no value.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
