import BrowserExchange
import Federation
import Instants
import Octets
import TokenErrors
import XMLTree

/// A `wsse:UsernameToken` with a password in clear text (WSS UsernameToken Profile 1.0, 3.1), as TLS protects it.
enum UsernameToken {
  private static let passwordText =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText"
  /// Seconds by which clocks may differ.
  private static let skew: Int64 = 300

  /// - Throws: `xml.*`, `time.*`.
  static func read(_ security: Element, at now: Instant) throws(TokenError) -> (String, Secret) {
    var token: Element?
    for child in try security.children() {
      if child.isNamed(ExpandedName("Timestamp", in: WSSName.utility)) {
        try check(child, at: now)
      } else if child.isNamed(ExpandedName("UsernameToken", in: WSSName.security)) {
        guard token == nil else { throw TokenError(.repeatedElement, node: child.path) }
        token = child
      } else {
        // A signature that is not looked at would pass for one that is.
        throw TokenError(
          .unexpectedElement, node: child.path, expected: "Timestamp and UsernameToken")
      }
    }
    guard let token else {
      throw TokenError(.missingElement, node: security.path, expected: "UsernameToken")
    }
    var children = try ChildReader(token)
    let name = try children.require(ExpandedName("Username", in: WSSName.security)).text()
    let password = try children.require(ExpandedName("Password", in: WSSName.security))
    try children.finish()
    if let type = password.attribute(ExpandedName("Type")), !type.hasSameBytes(as: passwordText) {
      throw TokenError(
        .unexpectedElement, node: password.path + "/@Type", expected: "#PasswordText",
        found: TokenError.excerpt(type))
    }
    return (name, Secret(try password.text()))
  }

  private static func check(_ timestamp: Element, at now: Instant) throws(TokenError) {
    var children = try ChildReader(timestamp)
    let created = try children.takeOne(WSSName.created).map(instant)
    let expires = try children.takeOne(WSSName.expires).map(instant)
    try children.finish()
    if let created, created > now.advanced(bySeconds: skew) {
      throw TokenError(
        .notYetValid, node: timestamp.path, expected: "created before \(now.rfc3339)",
        found: created.rfc3339)
    }
    if let expires, expires.advanced(bySeconds: skew) <= now {
      throw TokenError(
        .expired, node: timestamp.path, expected: "after \(now.rfc3339)", found: expires.rfc3339)
    }
  }

  private static func instant(_ element: Element) throws(TokenError) -> Instant {
    try Instant(dateTime: element.collapsedText())
  }
}
