import Claims
import Octets
import TokenBasics
import XMLSecurity
import XMLTree

/// Reads a SAML 2.0 assertion in the order of its schema (SAML Core 2.3.3).
struct SAML2AssertionReader: ~Copyable {
  private var content: AssertionContent
  private var attributeNames: AttributeNames

  private init(_ assertion: Element) {
    content = AssertionContent(assertion)
    attributeNames = AttributeNames(count: assertion.document.nodeCount / 3)
  }

  /// - Parameter decryption: For identifiers and attributes that are encrypted on their own. What is
  ///   read for a decision is signed, and so are they.
  /// - Throws: `xml.*`, `time.malformed`, `response.version`, `issuer.*`, `subject.empty-name`,
  ///   `encryption.*`.
  static func read(
    _ assertion: Element, _ decryption: inout Decryption
  ) throws(TokenError) -> AssertionContent {
    var reader = SAML2AssertionReader(assertion)
    try reader.read(assertion, &decryption)
    return reader.finish()
  }

  private consuming func finish() -> AssertionContent { content }

  /// Checks what an Issuer element is (SAML Core 2.2.5, 8.3.6): the name of an entity, and nothing but text. The
  /// name alone says who that is: a `NameQualifier`, which 8.3.6 leaves out, is not read.
  ///
  /// - Throws: `issuer.format`, `xml.mixed-content`.
  static func checkIssuer(_ element: Element) throws(TokenError) {
    // Mostly it has no attribute.
    if element.attributeCount > 0 {
      let format = element.attributeRange(AttributeName.format)
      guard format.map({ element.hasBytes($0, of: SAML2Name.entityFormat) }) ?? true,
        element.attributeRange(AttributeName.spNameQualifier) == nil,
        element.attributeRange(AttributeName.spProvidedID) == nil
      else {
        throw TokenError(
          .issuerFormat, node: element.path,
          expected: "no Format but \(SAML2Name.entityFormat), no SPNameQualifier")
      }
    }
    _ = try element.textRange()
  }

  /// The warning about an Issuer element that is accepted, if there is one.
  static func issuerWarning(_ element: Element) -> String? {
    guard element.attributeCount > 0, element.attributeRange(AttributeName.nameQualifier) != nil
    else { return nil }
    let holder = element.parent?.localName ?? "message"
    return "issuer: the Issuer of the \(holder) has a NameQualifier, which SAML Core 8.3.6 leaves "
      + "out; it is not read"
  }

  private mutating func read(
    _ assertion: Element, _ decryption: inout Decryption
  ) throws(TokenError) {
    guard assertion.hasAttribute(AttributeName.version, of: "2.0") else {
      throw TokenError(.messageVersion, node: assertion.path, expected: "2.0")
    }
    content.id = ClaimText(try assertion.requiredAttributeRange(AttributeName.id))
    content.issueInstant = try assertion.requiredInstant(AttributeName.issueInstant)
    var children = try ChildReader(assertion)
    // The schema puts it after Issuer; some issuers do not.
    var isSigned = false
    try SignatureName.take(&children, unless: &isSigned)
    let issuer = try children.require(SAML2Name.issuer)
    try Self.checkIssuer(issuer)
    content.issuer = try content.text(of: issuer)
    if let warning = Self.issuerWarning(issuer) { content.warnings.append(warning) }
    try SignatureName.take(&children, unless: &isSigned)
    if let subject = try children.takeOne(SAML2Name.subject) {
      try readSubject(subject, &decryption)
      try SignatureName.take(&children, unless: &isSigned)
    }
    if let conditions = try children.takeOne(SAML2Name.conditions) {
      try Self.conditions.read(conditions, into: &content)
      try SignatureName.take(&children, unless: &isSigned)
    }
    // The assertions of others are not this issuer's.
    if try children.takeOne(SAML2Name.advice) != nil {
      try SignatureName.take(&children, unless: &isSigned)
    }
    while let statement = children.takeAny() {
      try readStatement(statement, &decryption)
      try SignatureName.take(&children, unless: &isSigned)
    }
  }

  /// Records the exceptions for decrypting an `EncryptedID` or `EncryptedAttribute`, and that its author is not
  /// proved: whoever signs an assertion may have copied the ciphertext from another issuer's.
  private mutating func warn(of plaintext: Decryptor.Plaintext, _ what: String) {
    let issuer = TokenError.excerpt(content.claims.string(content.issuer))
    let author =
      "encryption: \(what) was encrypted by itself; \(issuer) signed the ciphertext, which does not prove "
      + "that it wrote what is in it"
    for warning in plaintext.warnings + [author] where !content.warnings.contains(warning) {
      content.warnings.append(warning)
    }
  }

  /// Reads an `EncryptedID` (SAML Core 2.2.4).
  private mutating func readEncryptedName(
    _ holder: Element, _ decryption: inout Decryption
  ) throws(TokenError) -> AssertionContent.NameIdentifier {
    let isJudged = decryption.coverage != nil
    return try decryption.read(inside: holder, named: SAML2Name.nameID) {
      element, plaintext, concealment throws(TokenError) in
      warn(of: plaintext, "the name of the subject")
      var name = try nameIdentifier(element)
      if isJudged { try name.requireText() }
      name.concealment = concealment
      return name
    }
  }

  /// Reads an `EncryptedAttribute` (SAML Core 2.7.3.2).
  private mutating func readEncryptedAttribute(
    _ holder: Element, _ names: AttributeElementNames, _ decryption: inout Decryption
  ) throws(TokenError) {
    try decryption.read(inside: holder, named: SAML2Name.attribute) {
      element, plaintext, _ throws(TokenError) in
      warn(of: plaintext, "an attribute")
      try readAttribute(element, names)
    }
  }

  // MARK: Subject

  private mutating func readSubject(
    _ subject: Element, _ decryption: inout Decryption
  ) throws(TokenError) {
    var children = try ChildReader(subject)
    var name: AssertionContent.NameIdentifier?
    if let element = try children.takeOne(SAML2Name.nameID) {
      name = try nameIdentifier(element)
    } else if let encrypted = children.take(SAML2Name.encryptedID) {
      name = try readEncryptedName(encrypted, &decryption)
    }
    while let confirmation = children.take(SAML2Name.subjectConfirmation) {
      content.confirmations.append(try readConfirmation(confirmation))
    }
    try children.finish()
    content.subject = subject.place
    content.nameIdentifier = name
    if let name { try content.addClaim(name) }
  }

  private func nameIdentifier(
    _ element: Element
  ) throws(TokenError) -> AssertionContent.NameIdentifier {
    try AssertionContent.NameIdentifier(reading: element, hasProviderParts: true)
  }

  private func readConfirmation(
    _ element: Element
  ) throws(TokenError) -> AssertionContent.Confirmation {
    let method = element.collapsedAttributeRange(AttributeName.method) ?? 0..<0
    var confirmation = AssertionContent.Confirmation(
      place: element.place, isBearer: element.hasBytes(method, of: SAML2Name.bearer))
    var children = try ChildReader(element)
    // An identifier of the confirming party; of no use to a bearer.
    _ = try children.takeOne(SAML2Name.nameID)
    if let data = try children.takeOne(SAML2Name.subjectConfirmationData) {
      confirmation.data = AssertionContent.ConfirmationData(
        place: data.place, notBefore: try data.instant(AttributeName.notBefore),
        notOnOrAfter: try data.instant(AttributeName.notOnOrAfter))
    }
    try children.finish()
    return confirmation
  }

  /// The method that a confirmation names, for a report.
  static func confirmationMethod(of element: Element) -> String {
    element.collapsedAttribute(AttributeName.method) ?? ""
  }

  private static let conditions = ConditionsReader(
    restriction: SAML2Name.audienceRestriction, audience: SAML2Name.audience,
    oneUse: SAML2Name.oneTimeUse, harmless: [SAML2Name.proxyRestriction])

  // MARK: Statements

  private mutating func readStatement(
    _ statement: Element, _ decryption: inout Decryption
  ) throws(TokenError) {
    if statement.isNamed(SAML2Name.attributeStatement) {
      let names = AttributeElementNames.shared
      try statement.forEachChild { attribute throws(TokenError) in
        if readPlain(attribute, names) { return }
        if attribute.isNamed(names.encryptedAttribute) {
          try readEncryptedAttribute(attribute, names, &decryption)
        } else {
          try readAttribute(attribute, names)
        }
      }
    } else if statement.isNamed(SAML2Name.authnStatement) {
      try readAuthentication(statement)
    } else if !statement.isNamed(SAML2Name.authzDecisionStatement) {
      throw TokenError(.unexpectedElement, node: statement.path)
    }
  }

  /// Reads a child of a statement in the common form, an attribute with a name and one value of plain
  /// text. Returns whether it has that form.
  private mutating func readPlain(_ attribute: Element, _ names: AttributeElementNames) -> Bool {
    guard attribute.isNamed(names.attribute),
      let nameRange = attribute.onlyAttributeRange(names.name), !nameRange.isEmpty,
      let value = attribute.onlyChild(names.attributeValue), value.attributeCount == 0,
      let text = value.plainTextRange, !text.isEmpty
    else { return false }
    // A child of the assertion, so both are in its document.
    let name = ClaimText(nameRange)
    let type = number(of: name, format: nil)
    if type == content.subjectType, content.setAside([ClaimText(text)], name) { return true }
    content.claims.append(
      type, ClaimText(text), valueType: names.stringType,
      issuer: content.issuer, originalName: name)
    return true
  }

  /// The number of the claim type that an attribute's name is.
  private mutating func number(of name: ClaimText, format: ClaimText?) -> UInt32 {
    let type = content.claims.number(of: name)
    switch attributeNames.repetition(of: name, format, mayBe: type.isKnown, content.claims) {
    case .none: break
    case .same:
      content.warnings.append(
        "attribute: \(TokenError.excerpt(content.claims.string(name))) stands in several "
          + "Attribute elements; their values follow one another")
    case .otherFormat:
      content.warnings.append(
        "attribute: \(TokenError.excerpt(content.claims.string(name))) stands in Attribute elements of "
          + "different NameFormat, which are different attributes (SAML Core 2.7.3.1) and one claim here"
      )
    }
    return type.number
  }

  private mutating func readAttribute(
    _ attribute: Element, _ names: AttributeElementNames
  ) throws(TokenError) {
    guard attribute.isNamed(names.attribute) else {
      throw TokenError(.unexpectedElement, node: attribute.path)
    }
    let name = content.place(attribute, try attribute.requiredAttributeRange(names.name))
    // Most attributes have a name and nothing else.
    var others = attribute.attributeCount - 1
    let format = others > 0 ? content.text(attribute, names.nameFormat) : nil
    let type = number(of: name, format: format)
    if type == content.subjectType,
      content.setAside(try content.texts(in: attribute, names.attributeValue), name)
    {
      return
    }
    let firstProperty = content.claims.propertyCount
    if let format {
      content.claims.addProperty(names.nameFormatProperty, format)
      others -= 1
    }
    if others > 0, let friendlyName = content.text(attribute, names.friendlyName) {
      content.claims.addProperty(names.friendlyNameProperty, friendlyName)
    }
    let reader = AttributeValueReader(
      attribute, type: type, originalName: name,
      properties: firstProperty..<content.claims.propertyCount, hasOthers: others > 0, names,
      &content)
    try attribute.forEachChild { value throws(TokenError) in
      guard value.isNamed(names.attributeValue) else {
        throw TokenError(.unexpectedElement, node: value.path)
      }
      try reader.read(value, names, into: &content)
    }
  }

  private mutating func readAuthentication(_ statement: Element) throws(TokenError) {
    let instant = try statement.requiredInstant(AttributeName.authnInstant)
    content.authentications.append(
      AssertionContent.Authentication(
        place: statement.place, instant: instant,
        sessionEnd: try statement.instant(AttributeName.sessionNotOnOrAfter)))
    if content.sessionIndex == nil {
      content.sessionIndex = content.text(statement, AttributeName.sessionIndex)
    }
    var children = try ChildReader(statement)
    _ = try children.takeOne(SAML2Name.subjectLocality)
    let context = try children.require(SAML2Name.authnContext)
    try children.finish()
    // SAML Core 2.7.2.2: a class or a declaration.
    guard context.hasChildElements else { throw TokenError(.missingElement, node: context.path) }
    var parts = try ChildReader(context)
    if let reference = try parts.takeOne(SAML2Name.authnContextClassRef) {
      content.addClaim(
        ClaimTable.constants.authenticationMethod, try content.collapsedText(of: reference))
    }
    content.addClaim(ClaimTable.constants.authenticationInstant, instant)
  }
}
