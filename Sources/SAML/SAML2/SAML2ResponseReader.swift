import Octets
import TokenErrors
import XMLTree

/// Reads a SAML 2.0 Response in the order of its schema (SAML Core 3.2.2, 3.3.3).
enum SAML2ResponseReader {
  /// - Throws: `xml.*`, `response.version`, `issuer.format`, `time.malformed`.
  static func read(_ response: Element) throws(TokenError) -> ResponseContent {
    guard response.hasAttribute(AttributeName.version, of: "2.0") else {
      throw TokenError(.messageVersion, node: response.path, expected: "2.0")
    }
    let id = try response.requiredAttribute(AttributeName.id)
    let issueInstant = try response.instant(AttributeName.issueInstant)
    var children = try ChildReader(response)
    var issuer: String?
    if let element = try children.takeOne(SAML2Name.issuer) {
      issuer = try SAML2AssertionReader.issuer(element)
    }
    try SignatureName.takeOne(&children)
    _ = try children.takeOne(SAML2Name.extensions)
    let status = try children.require(SAML2Name.status)
    let failure = try failure(status)
    var assertions: [Element] = []
    var encryptedAssertions: [Element] = []
    while let next = children.takeAny() {
      if next.isNamed(SAML2Name.assertion) {
        assertions.append(next)
      } else if next.isNamed(SAML2Name.encryptedAssertion) {
        encryptedAssertions.append(next)
      } else {
        throw TokenError(.unexpectedElement, node: next.path)
      }
    }
    return ResponseContent(
      response, id: id, issuer: issuer, issueInstant: issueInstant,
      destinationName: AttributeName.destination, status: status, failure: failure,
      assertions: assertions, encryptedAssertions: encryptedAssertions)
  }

  /// One top-level code counts; the ones inside it only explain (SAML Core 3.2.2.2).
  private static func failure(_ status: Element) throws(TokenError) -> String? {
    var children = try ChildReader(status)
    let code = try children.require(SAML2Name.statusCode)
    _ = try children.takeOne(SAML2Name.statusMessage)
    _ = try children.takeOne(SAML2Name.statusDetail)
    try children.finish()
    let range = try code.requiredAttributeRange(AttributeName.value)
    guard !code.hasBytes(range, of: SAML2Name.success) else { return nil }
    let value = code.string(range)
    let inner = try code.children().first?.attribute(AttributeName.value)
    return ([value] + [inner].compactMap { $0 }).joined(separator: " / ")
  }
}
