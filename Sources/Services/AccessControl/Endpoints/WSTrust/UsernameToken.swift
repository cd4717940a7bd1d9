import Federation
import HTTPExchange
import Octets
import TokenBasics
import XMLTree

/// A `wsse:UsernameToken` with a password in clear text (WSS UsernameToken Profile 1.0, 3.1), as TLS protects it.
struct UsernameToken {
  let name: String
  let password: Secret
  /// What its `Nonce` makes of it: the same one comes once. Nil without one.
  let nonce: String?

  private static let passwordText =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText"
  /// Seconds by which clocks may differ.
  private static let skew: Int64 = 300

  /// - Throws: `xml.*`, `time.*`.
  init(reading security: Element, at now: Instant) throws(TokenError) {
    var token: Element?
    for child in try security.children() {
      if child.isNamed(ExpandedName("Timestamp", in: WSSName.utility)) {
        try Self.check(child, at: now)
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
    name = try children.require(ExpandedName("Username", in: WSSName.security)).text()
    let password = try children.require(ExpandedName("Password", in: WSSName.security))
    // In either order.
    var time = try children.takeOne(WSSName.created)
    let nonce = try children.takeOne(ExpandedName("Nonce", in: WSSName.security))
    if time == nil { time = try children.takeOne(WSSName.created) }
    let created = try time.map(Self.instant)
    try children.finish()
    if let type = password.attribute(ExpandedName("Type")),
      !type.hasSameBytes(as: Self.passwordText)
    {
      throw TokenError(
        .unexpectedElement, node: password.path + "/@Type", expected: "#PasswordText",
        found: TokenError.excerpt(type))
    }
    self.password = Secret(try password.text())
    if let created {
      guard created < now.advanced(bySeconds: Self.skew) else {
        throw TokenError(
          .notYetValid, node: token.path + "/Created", expected: "created before \(now.rfc3339)",
          found: created.rfc3339)
      }
      guard created > now.advanced(bySeconds: -Self.skew) else {
        throw TokenError(
          .expired, node: token.path + "/Created", expected: "after \(now.rfc3339)",
          found: created.rfc3339)
      }
    }
    self.nonce = try nonce.map { (nonce) throws(TokenError) in
      let text = try nonce.collapsedText()
      guard text.utf8.count <= 1_024, let octets = try? Base64.decode(Array(text.utf8)),
        !octets.isEmpty
      else {
        throw TokenError(.unexpectedElement, node: nonce.path, expected: "octets in base64")
      }
      // With a time it is unique among those of the time alone (3.1).
      return "\(created?.rfc3339 ?? ""):" + Base64.encode(octets)
    }
  }

  /// Seconds for which a nonce is remembered: within them its time is accepted.
  static let memory: Int64 = 2 * skew

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

/// The header of a request (WS-Addressing 1.0; SOAP 1.2, 5.2).
struct HeaderBlock {
  let messageID: String?
  let security: Element

  private static let securityName = ExpandedName("Security", in: WSSName.security)
  private static let known = ["Action", "MessageID", "To", "ReplyTo", "From", "FaultTo"].map {
    ExpandedName($0, in: WSSName.addressing)
  }

  /// - Throws: `xml.*`.
  init(
    _ header: Element, _ soap: WSSName.SOAP, _ trust: WSSName.Trust, _ address: String
  ) throws(TokenError) {
    let children = try header.children()
    let mustUnderstand = ExpandedName("mustUnderstand", in: soap.namespace)
    for child in children {
      let isKnown = child.isNamed(Self.securityName) || Self.known.contains { child.isNamed($0) }
      guard isKnown || !["1", "true"].contains(child.collapsedAttribute(mustUnderstand) ?? "")
      else {
        throw TokenError(.unexpectedElement, node: child.path, expected: "a header that is known")
      }
    }
    func only(_ name: ExpandedName) throws(TokenError) -> Element? {
      let found = children.filter { $0.isNamed(name) }
      guard found.count < 2 else { throw TokenError(.repeatedElement, node: found[1].path) }
      return found.first
    }
    func addressing(_ local: String) throws(TokenError) -> String? {
      try only(ExpandedName(local, in: WSSName.addressing))?.collapsedText()
    }
    for (local, expected) in [("Action", trust.namespace + "/RST/Issue"), ("To", address)] {
      guard let found = try addressing(local), !found.hasSameBytes(as: expected) else { continue }
      throw TokenError(
        .unexpectedElement, node: header.path + "/" + local, expected: expected,
        found: TokenError.excerpt(found))
    }
    messageID = try addressing("MessageID")
    guard let security = try only(Self.securityName) else {
      throw TokenError(.missingElement, node: header.path, expected: "wsse:Security")
    }
    self.security = security
  }
}
