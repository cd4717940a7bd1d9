import Octets
package import SecurityKeys

/// The cookies of one request, by their names. Its description contains no value.
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

  /// The cookies of all `Cookie` fields of a request (RFC 6265, 4.2).
  init(fields: [String]) {
    self.init(
      fields.flatMap { field in
        CookieField.pairs(field).map { (String(Substring($0.name)), String(Substring($0.value))) }
      })
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

/// Finds one cookie in the `Cookie` fields of a request (RFC 6265, 4.2) without reading the others.
public enum CookieField {
  /// The value of the cookie `name`; nil if there is none, or several: two readers would disagree.
  public static func value(of name: String, in fields: some Sequence<String>) -> Secret? {
    var found: Substring.UTF8View?
    for field in fields {
      var rest = field.utf8[...]
      while let pair = next(in: &rest) {
        guard pair.name.elementsEqual(name.utf8) else { continue }
        guard found == nil else { return nil }
        found = pair.value
      }
    }
    return found.map { Secret(String(Substring($0))) }
  }

  /// The name and value of the next cookie; nil for no more.
  private static func next(
    in rest: inout Substring.UTF8View
  ) -> (name: Substring.UTF8View, value: Substring.UTF8View)? {
    while !rest.isEmpty {
      let pair = rest.prefix { $0 != UInt8(ascii: ";") }
      rest = rest[pair.endIndex...].dropFirst()
      guard let equals = pair.firstIndex(of: ASCII.equals) else { continue }
      return (pair[..<equals].drop(while: ASCII.isWhiteSpace), pair[equals...].dropFirst())
    }
    return nil
  }

  /// The names and values of one field. White space before a name is none of it; what has no `=` is no cookie.
  static func pairs(
    _ field: String
  ) -> some Sequence<(name: Substring.UTF8View, value: Substring.UTF8View)> {
    sequence(state: field.utf8[...]) { next(in: &$0) }
  }
}

/// Keeps what a service has to compare an answer with sealed in the browser that asked, and nowhere else.
package struct CookieSeal: Sendable {
  private let keys: [SealingKey]

  /// - Parameter keys: The first seals, all open, so that a change of keys ends no sign-in.
  package init(_ keys: [SealingKey]) { self.keys = keys }

  /// The value of a cookie. Empty if OpenSSL fails, which no answer matches.
  /// - Parameter context: What the cookie is for: it opens for nothing else.
  package func seal(_ octets: [UInt8], for context: [String]) -> Secret {
    Secret(Base64.encode(keys.first?.seal(octets, context: Self.octets(context)) ?? [], .url))
  }

  /// What was sealed for the same context; nil for anything else.
  package func open(_ cookie: Secret, for context: [String]) -> [UInt8]? {
    guard let sealed = try? Base64.decode(cookie.revealed.utf8, .url) else { return nil }
    let context = Self.octets(context)
    return keys.lazy.compactMap { $0.open(sealed, context: context) }.first
  }

  /// Each part with its length before it, so that it has one reading.
  private static func octets(_ context: [String]) -> [UInt8] {
    context.flatMap { part in Array("\(part.utf8.count):\(part)".utf8) }
  }
}
