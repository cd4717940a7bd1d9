import Claims
import Octets
import TokenBasics
import XMLTree

/// The content of an assertion of either version, read once from one element.
struct AssertionContent: ~Copyable {
  var id = ClaimText.empty
  var issuer = ClaimText.empty
  var issueInstant = Instant(secondsSinceEpoch: 0)
  /// The assertion; its path is worked out only for a report. Other parts of it are places in its document.
  let node: Element
  var conditions = Conditions()
  /// The Subject; of several the first, which the others repeat.
  var subject: ElementPlace?
  var nameIdentifier: NameIdentifier?
  var confirmations = InlineFirstArray<Confirmation>()
  var claims: ClaimTableBuilder
  /// The name of the subject, once it is a claim.
  var subjectName: ClaimText?
  /// The number of the claim type of that claim.
  var subjectType: UInt32?
  var authentications = InlineFirstArray<Authentication>()
  var warnings: [String] = []

  struct Conditions {
    var place: ElementPlace?
    var notBefore: Instant?
    var notOnOrAfter: Instant?
    var audiences = AudienceRestrictions()
    /// Whether the assertion may not be kept for a second use.
    var isForOneUse = false
    /// The local names of unknown conditions.
    var unknown: [String] = []
  }

  struct NameIdentifier {
    let node: Element
    /// Whether the version has identifiers of service providers.
    let hasProviderParts: Bool
    /// The error in place of any other about the name: an unauthenticated cipher decrypted it, and no
    /// signature over the plaintext proves its author.
    var concealment: TokenError?

    var value: String { (try? node.text()) ?? "" }
    var format: String? { node.attribute(AttributeName.format) }
    var qualifier: String? { node.attribute(AttributeName.nameQualifier) }
    var spQualifier: String? {
      hasProviderParts ? node.attribute(AttributeName.spNameQualifier) : nil
    }

    /// Reads a name identifier of either version, also one that is empty, which can be shown.
    ///
    /// - Throws: `xml.mixed-content`.
    init(reading element: Element, hasProviderParts: Bool) throws(TokenError) {
      _ = try element.textRange()
      node = element
      self.hasProviderParts = hasProviderParts
    }

    /// Checks that the identifier names somebody.
    ///
    /// - Throws: `subject.empty-name`, or the error that conceals it.
    func requireText() throws(TokenError) {
      guard try node.textBytes().trimmingWhiteSpace.isEmpty else { return }
      throw concealment ?? TokenError(.emptyNameIdentifier, node: node.path)
    }

    /// Whether both name the same subject.
    func isSame(as other: Self) -> Bool {
      func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
      return bytes(value) == bytes(other.value) && bytes(format) == bytes(other.format)
        && bytes(qualifier) == bytes(other.qualifier)
    }
  }

  struct Confirmation: BitwiseCopyable {
    let place: ElementPlace
    let isBearer: Bool
    var data: ConfirmationData?
  }

  struct ConfirmationData: BitwiseCopyable {
    let place: ElementPlace
    let notBefore: Instant?
    let notOnOrAfter: Instant?
  }

  struct Authentication: BitwiseCopyable {
    let place: ElementPlace
    let instant: Instant
    let sessionEnd: Instant?
  }

  /// The first `SessionIndex`.
  var sessionIndex: ClaimText?

  /// The end of validity as it reads, without a check: the earlier of the assertion's and the latest of
  /// its bearer confirmations'.
  var expires: Instant? {
    var confirmed: Instant?
    confirmations.forEach { confirmation in
      guard confirmation.isBearer, let end = confirmation.data?.notOnOrAfter else { return }
      confirmed = max(confirmed ?? end, end)
    }
    guard let end = conditions.notOnOrAfter else { return confirmed }
    return min(end, confirmed ?? end)
  }

  init(_ assertion: Element) {
    node = assertion
    // An attribute is three nodes or more: itself, a value, a text.
    claims = ClaimTableBuilder(
      over: assertion.document.octets, claimCount: assertion.document.nodeCount / 3)
  }

  /// Where in the document a part of the assertion is, for a report.
  func path(_ place: ElementPlace?) -> String { (place.map(node.document.element) ?? node).path }

  /// The facts, with the claims beside them, of an assertion that nothing was checked about.
  consuming func facts() -> TokenFacts {
    let expires = expires
    return facts(expires: expires)
  }

  /// The facts, with the claims beside them.
  ///
  /// - Parameter expires: The end of validity.
  consuming func facts(expires: Instant?) -> TokenFacts {
    var sessionEnd: Instant?
    authentications.forEach { authentication in
      guard let end = authentication.sessionEnd else { return }
      sessionEnd = min(sessionEnd ?? end, end)
    }
    let texts = FactTexts(
      issuer: issuer, subject: subjectName, audiences: conditions.audiences,
      notBefore: conditions.notBefore, expires: expires, issued: issueInstant, tokenID: id,
      sessionIndex: sessionIndex, sessionEnd: sessionEnd, isForOneUse: conditions.isForOneUse)
    return TokenFacts(claims, texts)
  }
}

extension AssertionContent {
  /// The place of a text of `element`. Decrypted text is in another document.
  mutating func place(_ element: Element, _ range: Range<Int>) -> ClaimText {
    element.document.isSame(as: node.document)
      ? ClaimText(range) : claims.add(element.document.octets[range])
  }

  /// The place of an attribute's value, if there is one.
  mutating func text(_ element: Element, _ name: ExpandedName) -> ClaimText? {
    guard let range = element.attributeRange(name) else { return nil }
    return place(element, range)
  }

  /// The place of the text that `element` holds.
  ///
  /// - Throws: `xml.mixed-content`.
  mutating func text(of element: Element) throws(TokenError) -> ClaimText {
    guard let range = try element.textRange() else { return claims.add(try element.textBytes()) }
    return place(element, range)
  }

  /// The place of the text that `element` holds, of a type whose white space collapses.
  ///
  /// - Throws: `xml.mixed-content`.
  mutating func collapsedText(of element: Element) throws(TokenError) -> ClaimText {
    guard let range = try element.collapsedTextRange() else {
      return claims.add(try element.textBytes().trimmingWhiteSpace)
    }
    return place(element, range)
  }

  /// Adds a claim of a type of ours.
  mutating func addClaim(_ type: ClaimText, _ value: ClaimText) {
    claims.append(claims.number(of: type).number, value, issuer: issuer)
  }

  /// Adds the claim that a moment becomes, as .NET writes it.
  mutating func addClaim(_ type: ClaimText, _ value: Instant) {
    addClaim(
      type, claims.add(upTo: Instant.textLength) { value.writeWithMilliseconds(to: &$0) })
  }

  /// Adds the claim that the subject's name becomes.
  ///
  /// - Throws: `xml.mixed-content`.
  mutating func addClaim(_ name: NameIdentifier) throws(TokenError) {
    let first = claims.propertyCount
    if name.node.attributeCount > 0 {
      addProperty(ClaimTable.constants.format, name.node, AttributeName.format)
      addProperty(ClaimTable.constants.nameQualifier, name.node, AttributeName.nameQualifier)
      if name.hasProviderParts {
        addProperty(ClaimTable.constants.spNameQualifier, name.node, AttributeName.spNameQualifier)
        addProperty(ClaimTable.constants.spProvidedID, name.node, AttributeName.spProvidedID)
      }
    }
    let value = try text(of: name.node)
    subjectName = value
    let type = claims.number(of: ClaimTable.constants.nameIdentifier).number
    subjectType = type
    claims.append(type, value, issuer: issuer, properties: first..<claims.propertyCount)
  }

  /// Leaves out an attribute whose name is the claim type of the subject's name, and that says something else: it must
  /// not join the subject. A warning tells it, without a value: a page may mask them.
  ///
  /// - Returns: Whether it was left out; one that repeats the subject's name stays.
  mutating func setAside(_ values: [ClaimText], _ name: ClaimText) -> Bool {
    if let subjectName {
      let subject = claims.string(subjectName)
      let others = values.filter { !claims.string($0).utf8.elementsEqual(subject.utf8) }
      if !values.isEmpty, others.isEmpty { return false }
    }
    warnings.append(
      "attribute: \(TokenError.excerpt(claims.string(name), length: 80)) stands beside the subject's name "
        + "and does not join it; left out: \(values.count == 1 ? "a value" : "\(values.count) values")"
    )
    return true
  }

  /// The texts of the children of that name; structured ones are left out.
  ///
  /// - Throws: `xml.*`.
  mutating func texts(
    in element: Element, _ name: ExpandedName
  ) throws(TokenError) -> [ClaimText] {
    var texts: [ClaimText] = []
    for child in try element.children() {
      guard child.isNamed(name) else { throw TokenError(.unexpectedElement, node: child.path) }
      if !child.hasChildElements { texts.append(try text(of: child)) }
    }
    return texts
  }

  /// Adds the property that an attribute becomes, if there is one.
  private mutating func addProperty(
    _ property: ClaimText, _ element: Element, _ attribute: ExpandedName
  ) {
    if let value = text(element, attribute) { claims.addProperty(property, value) }
  }
}

/// Reads the conditions of either version, which differ in names alone.
struct ConditionsReader {
  let restriction: ExpandedName
  let audience: ExpandedName
  /// The condition that the assertion is used once, at once.
  let oneUse: ExpandedName
  /// Conditions that are understood and ask nothing of a reader.
  let harmless: [ExpandedName]

  /// - Throws: `time.malformed`, `xml.*`.
  func read(_ element: Element, into content: inout AssertionContent) throws(TokenError) {
    var conditions = AssertionContent.Conditions(place: element.place)
    conditions.notBefore = try element.instant(AttributeName.notBefore)
    conditions.notOnOrAfter = try element.instant(AttributeName.notOnOrAfter)
    try element.forEachChild { condition throws(TokenError) in
      if condition.isNamed(restriction) {
        var audiences = try ChildReader(condition)
        conditions.audiences.beginRestriction()
        while let next = audiences.take(audience) {
          conditions.audiences.append(try content.collapsedText(of: next))
        }
        try audiences.finish()
      } else if condition.isNamed(oneUse) {
        conditions.isForOneUse = true
      } else if !harmless.contains(where: condition.isNamed) {
        conditions.unknown.append(condition.localName)
      }
    }
    content.conditions = conditions
  }
}
