import Octets
package import SecurityKeys
import TokenBasics

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
        CookieField.pairs(field)
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
    var found: Secret?
    for field in fields {
      var isRepeated = false
      each(of: field) { place in
        guard Bytes.areEqual(field.utf8.span.extracting(place.name), name.utf8.span) else { return }
        isRepeated = isRepeated || found != nil
        found = Secret(text(place.value, of: field))
      }
      if isRepeated { return nil }
    }
    return found
  }

  /// The names and values of one field. White space before a name is none of it; what has no `=` is no cookie.
  static func pairs(_ field: String) -> [(name: String, value: String)] {
    var pairs: [(name: String, value: String)] = []
    each(of: field) { pairs.append((text($0.name, of: field), text($0.value, of: field))) }
    return pairs
  }

  private static func text(_ place: Range<Int>, of field: String) -> String {
    let octets = field.utf8
    let start = octets.index(octets.startIndex, offsetBy: place.lowerBound)
    return String(field[start..<octets.index(start, offsetBy: place.count)])
  }

  /// Where each name and value is, in octets.
  private static func each(
    of field: String, _ body: ((name: Range<Int>, value: Range<Int>)) -> Void
  ) {
    let octets = field.utf8.span
    var start = 0
    while start < octets.count {
      let end = octets.firstIndex(of: UInt8(ascii: ";"), from: start) ?? octets.count
      if let equals = octets.firstIndex(of: ASCII.equals, in: start..<end) {
        while ASCII.isWhiteSpace(octets[start]) { start += 1 }
        body((start..<equals, equals + 1..<end))
      }
      start = end + 1
    }
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
    Secret(
      Base64.encode(keys.first?.seal(octets, context: PrefixedTexts.octets(context)) ?? [], .url))
  }

  /// What was sealed for the same context; nil for anything else.
  package func open(_ cookie: Secret, for context: [String]) -> [UInt8]? {
    guard let sealed = try? Base64.decode(cookie.revealed.utf8, .url) else { return nil }
    let context = PrefixedTexts.octets(context)
    return keys.lazy.compactMap { $0.open(sealed, context: context) }.first
  }
}
