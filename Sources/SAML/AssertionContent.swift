import Claims
import Instants
import Octets
import TokenErrors
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
  var authentications = InlineFirstArray<Authentication>()
  var warnings: [String] = []

  struct Conditions {
    var place: ElementPlace?
    var notBefore: Instant?
    var notOnOrAfter: Instant?
    var audiences = AudienceRestrictions()
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
      sessionIndex: sessionIndex, sessionEnd: sessionEnd)
    return TokenFacts(claims, texts)
  }
}
