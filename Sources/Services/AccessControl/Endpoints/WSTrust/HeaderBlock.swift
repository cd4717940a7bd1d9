import Federation
import Octets
import TokenErrors
import XMLTree

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
