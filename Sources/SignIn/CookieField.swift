import Octets
import SingleSignOn

/// Finds one cookie in the `Cookie` fields of a request (RFC 6265, 4.2) without reading the others.
public enum CookieField {
  /// The value of the cookie `name`; nil if there is none, or several: two readers would disagree.
  public static func value(of name: String, in fields: some Sequence<String>) -> Secret? {
    var found: Substring.UTF8View?
    for field in fields {
      for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
        guard let equals = pair.firstIndex(of: ASCII.equals),
          pair[..<equals].drop(while: ASCII.isWhiteSpace).elementsEqual(name.utf8)
        else { continue }
        guard found == nil else { return nil }
        found = pair[pair.index(after: equals)...]
      }
    }
    return found.map { Secret(String(Substring($0))) }
  }
}
