import Octets
import TokenBasics
import XMLSecurity
package import XMLTree

/// Reads a SAML 1.1 Response in the order of its schema (SAML Core 1.1, 3.4).
enum SAML1ResponseReader {
  /// - Throws: `xml.*`, `response.version`, `time.malformed`.
  static func read(_ response: Element) throws(TokenError) -> ResponseContent {
    try SAML1AssertionReader.checkVersion(response)
    _ = try response.requiredAttributeRange(AttributeName.responseID)
    let issueInstant = try response.instant(AttributeName.issueInstant)
    var children = try ChildReader(response)
    // The schema has it first; not every issuer does.
    var isSigned = false
    try SignatureName.take(&children, unless: &isSigned)
    let status = try children.require(SAML1Name.status)
    let failure = try failure(status)
    try SignatureName.take(&children, unless: &isSigned)
    var assertion: Element?
    var count = 0
    while let next = children.take(SAML1Name.assertion) {
      if assertion == nil { assertion = next }
      count += 1
      try SignatureName.take(&children, unless: &isSigned)
    }
    try children.finish()
    return ResponseContent(
      response, issueInstant: issueInstant, destinationName: AttributeName.recipient,
      status: status, failure: failure, assertion: assertion, assertionCount: count)
  }

  /// The code is a QName: its prefix must be bound to the protocol's namespace.
  private static func failure(_ status: Element) throws(TokenError) -> String? {
    var children = try ChildReader(status)
    let code = try children.require(SAML1Name.statusCode)
    let message = try children.takeOne(SAML1Name.statusMessage)
    _ = try children.takeOne(SAML1Name.statusDetail)
    try children.finish()
    if localCode(code) == "Success" { return nil }
    return StatusText.text(code, message) { code in
      let value = code.collapsedAttribute(AttributeName.value) ?? ""
      return localCode(code) ?? (value.isEmpty ? "no code" : value)
    }
  }

  /// Whether the signature of the message covers what the prefix of its status code means. Without one, the
  /// status can only refuse anyway.
  ///
  /// `samlp` means the protocol (SAML Core 1.1, 1.2), and the signature covers how it is spelled. SimpleSAMLphp writes
  /// `samlp:Success` among elements without a prefix, so exclusive canonicalization leaves its declaration out.
  ///
  /// - Parameter response: The message as its signature covers it.
  static func isStatusCovered(by response: SignedElement) -> Bool {
    guard
      let status = try? response.element.children().first(where: {
        $0.isNamed(SAML1Name.status)
      }),
      let code = try? status.children().first(where: { $0.isNamed(SAML1Name.statusCode) })
    else { return false }
    let prefix = prefix(of: code)
    return prefix.hasSameBytes(as: "samlp") || response.namespaces.covers(prefix, at: code)
  }

  /// The name behind the prefix, where the protocol's namespace is bound to that.
  private static func localCode(_ code: Element) -> String? {
    let value = code.collapsedAttribute(AttributeName.value) ?? ""
    let parts = value.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2,
      code.namespace(forPrefix: prefix(of: code))?.hasSameBytes(as: SAML1Name.protocolNamespace)
        ?? false
    else { return nil }
    return String(parts[1])
  }

  private static func prefix(of code: Element) -> String {
    let value = code.collapsedAttribute(AttributeName.value) ?? ""
    return value.split(separator: ":", omittingEmptySubsequences: false).first.map(String.init)
      ?? ""
  }
}

/// The names of SAML 1.1 (SAML Core 1.1, 2003). Its namespaces contain 1.0.
package enum SAML1Name {
  package static let assertionNamespace = "urn:oasis:names:tc:SAML:1.0:assertion"
  static let protocolNamespace = "urn:oasis:names:tc:SAML:1.0:protocol"

  package static let assertion = saml("Assertion")
  package static let response = samlp("Response")
  static let conditions = saml("Conditions")
  static let audienceRestriction = saml("AudienceRestrictionCondition")
  static let audience = saml("Audience")
  static let doNotCache = saml("DoNotCacheCondition")
  static let advice = saml("Advice")
  static let subject = saml("Subject")
  static let nameIdentifier = saml("NameIdentifier")
  static let subjectConfirmation = saml("SubjectConfirmation")
  static let confirmationMethod = saml("ConfirmationMethod")
  static let subjectConfirmationData = saml("SubjectConfirmationData")
  static let authenticationStatement = saml("AuthenticationStatement")
  static let authorizationDecisionStatement = saml("AuthorizationDecisionStatement")
  static let attributeStatement = saml("AttributeStatement")
  static let attribute = saml("Attribute")
  static let attributeValue = saml("AttributeValue")
  static let status = samlp("Status")
  static let statusCode = samlp("StatusCode")
  static let statusMessage = samlp("StatusMessage")
  static let statusDetail = samlp("StatusDetail")

  static let bearer = "urn:oasis:names:tc:SAML:1.0:cm:bearer"
  /// Both names of the artifact profile's method (SAML Bindings 1.1, 4.1.1; 1.0 had the second).
  static let artifacts = [
    "urn:oasis:names:tc:SAML:1.0:cm:artifact", "urn:oasis:names:tc:SAML:1.0:cm:artifact-01",
  ]
  static let unspecifiedMethod = "urn:oasis:names:tc:SAML:1.0:am:unspecified"

  private static func saml(_ local: String) -> ExpandedName {
    ExpandedName(local, in: assertionNamespace)
  }
  private static func samlp(_ local: String) -> ExpandedName {
    ExpandedName(local, in: protocolNamespace)
  }
}
