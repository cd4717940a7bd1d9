import Claims
import Octets
import TokenBasics
package import XMLTree

/// Reads a SAML 2.0 Response in the order of its schema (SAML Core 3.2.2, 3.3.3).
enum SAML2ResponseReader {
  /// - Throws: `xml.*`, `response.version`, `issuer.format`, `time.malformed`.
  static func read(_ response: Element) throws(TokenError) -> ResponseContent {
    guard response.hasAttribute(AttributeName.version, of: "2.0") else {
      throw TokenError(.messageVersion, node: response.path, expected: "2.0")
    }
    _ = try response.requiredAttributeRange(AttributeName.id)
    let issueInstant = try response.requiredInstant(AttributeName.issueInstant)
    var children = try ChildReader(response)
    // The schema has it behind Issuer; not every issuer does.
    var isSigned = false
    try SignatureName.take(&children, unless: &isSigned)
    let issuer = try children.takeOne(SAML2Name.issuer)
    if let issuer { try SAML2AssertionReader.checkIssuer(issuer) }
    try SignatureName.take(&children, unless: &isSigned)
    if try children.takeOne(SAML2Name.extensions) != nil {
      try SignatureName.take(&children, unless: &isSigned)
    }
    let status = try children.require(SAML2Name.status)
    try SignatureName.take(&children, unless: &isSigned)
    let failure = try failure(status)
    var assertion: Element?
    var encryptedAssertion: Element?
    var count = 0
    while let next = children.takeAny() {
      if next.isNamed(SAML2Name.assertion) {
        if assertion == nil { assertion = next }
      } else if next.isNamed(SAML2Name.encryptedAssertion) {
        if encryptedAssertion == nil { encryptedAssertion = next }
      } else {
        throw TokenError(.unexpectedElement, node: next.path)
      }
      count += 1
      try SignatureName.take(&children, unless: &isSigned)
    }
    return ResponseContent(
      response, issuerElement: issuer, issueInstant: issueInstant,
      destinationName: AttributeName.destination, status: status, failure: failure,
      assertion: assertion, encryptedAssertion: encryptedAssertion, assertionCount: count)
  }

  /// Only the top-level code decides; the ones inside it explain (SAML Core 3.2.2.2).
  static func failure(_ status: Element) throws(TokenError) -> String? {
    var children = try ChildReader(status)
    let code = try children.require(SAML2Name.statusCode)
    let message = try children.takeOne(SAML2Name.statusMessage)
    _ = try children.takeOne(SAML2Name.statusDetail)
    try children.finish()
    let range = try code.requiredAttributeRange(AttributeName.value)
    guard !code.hasBytes(range, of: SAML2Name.success) else { return nil }
    return StatusText.text(code, message) { code in
      let value = code.attribute(AttributeName.value) ?? ""
      return value.hasPrefix(statusPrefix) ? String(value.dropFirst(statusPrefix.count)) : value
    }
  }

  /// What the codes of the standard begin with.
  private static let statusPrefix = "urn:oasis:names:tc:SAML:2.0:status:"
}

/// The names of SAML 2.0 (SAML Core, 2005).
package enum SAML2Name {
  package static let assertionNamespace = "urn:oasis:names:tc:SAML:2.0:assertion"
  static let protocolNamespace = "urn:oasis:names:tc:SAML:2.0:protocol"

  package static let assertion = saml("Assertion")
  package static let encryptedAssertion = saml("EncryptedAssertion")
  package static let response = samlp("Response")
  static let issuer = saml("Issuer")
  static let subject = saml("Subject")
  static let nameID = saml("NameID")
  static let encryptedID = saml("EncryptedID")
  static let subjectConfirmation = saml("SubjectConfirmation")
  static let subjectConfirmationData = saml("SubjectConfirmationData")
  static let conditions = saml("Conditions")
  static let audienceRestriction = saml("AudienceRestriction")
  static let audience = saml("Audience")
  static let oneTimeUse = saml("OneTimeUse")
  static let proxyRestriction = saml("ProxyRestriction")
  static let advice = saml("Advice")
  static let authnStatement = saml("AuthnStatement")
  static let authnContext = saml("AuthnContext")
  static let authnContextClassRef = saml("AuthnContextClassRef")
  static let authenticatingAuthority = saml("AuthenticatingAuthority")
  static let subjectLocality = saml("SubjectLocality")
  static let authzDecisionStatement = saml("AuthzDecisionStatement")
  static let attributeStatement = saml("AttributeStatement")
  static let attribute = saml("Attribute")
  static let encryptedAttribute = saml("EncryptedAttribute")
  static let attributeValue = saml("AttributeValue")
  static let extensions = samlp("Extensions")
  static let status = samlp("Status")
  static let statusCode = samlp("StatusCode")
  static let statusMessage = samlp("StatusMessage")
  static let statusDetail = samlp("StatusDetail")

  static let success: StaticString = "urn:oasis:names:tc:SAML:2.0:status:Success"
  static let bearer: StaticString = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
  static let unspecifiedClass = "urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified"
  static let entityFormat: StaticString = "urn:oasis:names:tc:SAML:2.0:nameid-format:entity"

  private static func saml(_ local: String) -> ExpandedName {
    ExpandedName(local, in: assertionNamespace)
  }
  private static func samlp(_ local: String) -> ExpandedName {
    ExpandedName(local, in: protocolNamespace)
  }
}
