import Claims
import Octets
import TokenBasics
import XMLTree

/// Reads a SAML 1.1 assertion in the order of its schema (SAML Core 1.1, 2.3.2).
struct SAML1AssertionReader: ~Copyable {
  private var content: AssertionContent
  private let names = AttributeElementNames.shared

  private init(_ assertion: Element) { content = AssertionContent(assertion) }

  /// - Throws: `xml.*`, `time.malformed`, `response.version`, `subject.*`.
  static func read(_ assertion: Element) throws(TokenError) -> AssertionContent {
    var reader = SAML1AssertionReader(assertion)
    try reader.read(assertion)
    return reader.finish()
  }

  private consuming func finish() -> AssertionContent { content }

  /// Checks the version that an assertion or a response declares.
  ///
  /// - Throws: `response.version`.
  static func checkVersion(_ element: Element) throws(TokenError) {
    guard element.hasAttribute(AttributeName.majorVersion, of: "1"),
      element.hasAttribute(AttributeName.minorVersion, of: "1")
        || element.hasAttribute(AttributeName.minorVersion, of: "0")
    else { throw TokenError(.messageVersion, node: element.path, expected: "1.1") }
  }

  private mutating func read(_ assertion: Element) throws(TokenError) {
    try Self.checkVersion(assertion)
    content.id = ClaimText(try assertion.requiredAttributeRange(AttributeName.assertionID))
    content.issuer = ClaimText(try assertion.requiredAttributeRange(AttributeName.issuer))
    content.issueInstant = try assertion.requiredInstant(AttributeName.issueInstant)
    var children = try ChildReader(assertion)
    // The schema has it last; not every issuer does.
    var isSigned = false
    try SignatureName.take(&children, unless: &isSigned)
    if let conditions = try children.takeOne(SAML1Name.conditions) {
      try Self.conditions.read(conditions, into: &content)
      try SignatureName.take(&children, unless: &isSigned)
    }
    if try children.takeOne(SAML1Name.advice) != nil {
      try SignatureName.take(&children, unless: &isSigned)
    }
    while let statement = children.takeAny() {
      try readStatement(statement)
      try SignatureName.take(&children, unless: &isSigned)
    }
  }

  private static let conditions = ConditionsReader(
    restriction: SAML1Name.audienceRestriction, audience: SAML1Name.audience,
    oneUse: SAML1Name.doNotCache, harmless: [])

  // MARK: Statements

  private mutating func readStatement(_ statement: Element) throws(TokenError) {
    if statement.isNamed(SAML1Name.attributeStatement) {
      var children = try ChildReader(statement)
      try readSubject(children.require(SAML1Name.subject))
      while let attribute = children.take(SAML1Name.attribute) { try readAttribute(attribute) }
      try children.finish()
    } else if statement.isNamed(SAML1Name.authenticationStatement) {
      var children = try ChildReader(statement)
      try readSubject(children.require(SAML1Name.subject))
      try readAuthentication(statement)
    } else if statement.isNamed(SAML1Name.authorizationDecisionStatement) {
      var children = try ChildReader(statement)
      try readSubject(children.require(SAML1Name.subject))
    } else {
      throw TokenError(.unexpectedElement, node: statement.path)
    }
  }

  private mutating func readAuthentication(_ statement: Element) throws(TokenError) {
    let instant = try statement.requiredInstant(AttributeName.authenticationInstant)
    let method = try statement.requiredAttributeRange(AttributeName.authenticationMethod)
    content.authentications.append(
      AssertionContent.Authentication(place: statement.place, instant: instant, sessionEnd: nil))
    content.addClaim(ClaimTable.constants.authenticationMethod, ClaimText(method))
    content.addClaim(ClaimTable.constants.authenticationInstant, instant)
  }

  /// The claim type is namespace, `/` and name, or the name alone where there is no namespace. No name
  /// has a `/`, so that the last one of a type always divides the two, and two attributes of different
  /// names or namespaces are never one type.
  private mutating func readAttribute(_ attribute: Element) throws(TokenError) {
    let name = try attribute.requiredAttributeRange(AttributeName.attributeName)
    let namespace = attribute.attributeRange(AttributeName.attributeNamespace) ?? 0..<0
    let nameBytes = attribute.bytes(name)
    let slash = UInt8(ascii: "/")
    guard !nameBytes.contains(slash) else {
      throw TokenError(
        .unexpectedAttribute, node: "\(attribute.path)/@AttributeName",
        expected: "a name without /, what is before it in @AttributeNamespace",
        found: TokenError.excerpt(attribute.string(name)))
    }
    let originalName = ClaimText(name)
    let type =
      namespace.isEmpty
      ? originalName : content.claims.add(attribute.bytes(namespace), slash, nameBytes)
    let number = content.claims.number(of: type).number
    if number == content.subjectType,
      content.setAside(try content.texts(in: attribute, SAML1Name.attributeValue), type)
    {
      return
    }
    let reader = AttributeValueReader(
      attribute, type: number, originalName: originalName, properties: 0..<0, names, &content)
    var children = try ChildReader(attribute)
    while let value = children.take(SAML1Name.attributeValue) {
      try reader.read(value, names, into: &content)
    }
    try children.finish()
  }

  // MARK: Subject

  /// Every statement has a subject of its own; all must be the same.
  private mutating func readSubject(_ subject: Element) throws(TokenError) {
    var children = try ChildReader(subject)
    var nameIdentifier: AssertionContent.NameIdentifier?
    if let name = try children.takeOne(SAML1Name.nameIdentifier) {
      nameIdentifier = try AssertionContent.NameIdentifier(reading: name, hasProviderParts: false)
    }
    if let confirmation = try children.takeOne(SAML1Name.subjectConfirmation) {
      content.confirmations.append(try readConfirmation(confirmation))
    }
    try children.finish()
    guard let earlier = content.subject else {
      content.subject = subject.place
      content.nameIdentifier = nameIdentifier
      // The first statement's subject comes before every other claim.
      if let nameIdentifier { try content.addClaim(nameIdentifier) }
      return
    }
    guard Self.isSame(content.nameIdentifier, nameIdentifier) else {
      throw TokenError(
        .subjectDiffers, node: subject.path, expected: "the subject of \(content.path(earlier))")
    }
  }

  private static func isSame(
    _ left: AssertionContent.NameIdentifier?, _ right: AssertionContent.NameIdentifier?
  ) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.isSame(as: right)
  }

  /// A confirmation counts as bearer only when bearer, or the artifact that represents the assertion, is
  /// its one method: neither asks for a proof.
  private func readConfirmation(
    _ element: Element
  ) throws(TokenError) -> AssertionContent.Confirmation {
    var children = try ChildReader(element)
    var count = 0
    var isBearer = true
    while let method = children.take(SAML1Name.confirmationMethod) {
      count += 1
      let text = try method.textBytes().trimmingWhiteSpace
      if !text.hasBytes(of: SAML1Name.bearer), !SAML1Name.artifacts.contains(where: text.hasBytes) {
        isBearer = false
      }
    }
    return AssertionContent.Confirmation(place: element.place, isBearer: isBearer && count == 1)
  }

  /// The methods that a confirmation names, for a report.
  static func confirmationMethods(of element: Element) -> String {
    let children = (try? element.children()) ?? []
    return children.filter { $0.isNamed(SAML1Name.confirmationMethod) }
      .compactMap { try? $0.collapsedText() }.joined(separator: " ")
  }
}
