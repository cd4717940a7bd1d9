import HTTPExchange
import Octets
import TokenBasics

/// Whether the providers name one set of people.
public enum GatePeople: String, Hashable, Sendable {
  /// A subject is the same person at every provider.
  case shared
  /// A subject is somebody at its provider alone: the application sees `PROVIDER:SUBJECT`.
  case byProvider = "by provider"

  /// The subject that rules and the application see.
  ///
  /// By provider both parts keep the unreserved characters of RFC 3986, 2.3 and `@`, so that the colon between them
  /// is the only one.
  public func subject(_ subject: String, at provider: String) -> String {
    switch self {
    case .shared: subject
    case .byProvider: Self.escaped(provider) + ":" + Self.escaped(subject)
    }
  }

  /// Whether a text is one that ``subject(_:at:)`` makes for one of the providers; nil takes any provider.
  func canBeSubject(_ text: String, of providers: [String]?) -> Bool {
    guard self == .byProvider else { return true }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
      providers?.contains(where: { Self.escaped($0).hasSameBytes(as: parts[0]) }) ?? true
    else { return false }
    return parts.allSatisfy(Self.isEscaped)
  }

  private static func escaped(_ text: String) -> String {
    PercentEncoding.encode(text) { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "@") }
  }

  /// Whether only what stays as it is stands there, and escapes in upper case.
  private static func isEscaped(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while let octet = rest.popFirst() {
      if octet != UInt8(ascii: "%") {
        guard ASCII.isLetter(octet) || ASCII.isDigit(octet) || "-._~@".utf8.contains(octet) else {
          return false
        }
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2,
        digits.allSatisfy({
          ASCII.isDigit($0) || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0)
        })
      else { return false }
      rest = rest.dropFirst(2)
    }
    return true
  }
}
