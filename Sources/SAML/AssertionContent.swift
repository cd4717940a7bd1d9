import Claims
import Instants
import Octets
import TokenErrors
import XMLTree

/// What an assertion of either version says, read once from one element.
struct AssertionContent {
  var id = ""
  var issuer = ""
  var issueInstant = Instant(secondsSinceEpoch: 0)
  /// The assertion; its path is worked out only for a report.
  var node: Element
  var conditions = Conditions()
  var subject: SubjectContent?
  var claims: ClaimTableBuilder
  /// See ``issuerText()``.
  var knownIssuer: ClaimText?
  var authentications: [Authentication] = []
  var warnings: [String] = []

  struct Conditions {
    var node: Element?
    var notBefore: Instant?
    var notOnOrAfter: Instant?
    /// One list for each restriction.
    var audiences: [[String]] = []
    /// The local names of conditions that nobody here understands.
    var unknown: [String] = []
  }

  struct SubjectContent {
    var node: Element
    var nameIdentifier: NameIdentifier?
    var confirmations: [Confirmation] = []
  }

  struct NameIdentifier {
    let value: String
    let node: Element
    /// Whether the version has identifiers of service providers.
    let hasProviderParts: Bool

    var format: String? { node.attribute(AttributeName.format) }
    var qualifier: String? { node.attribute(AttributeName.nameQualifier) }
    var spQualifier: String? {
      hasProviderParts ? node.attribute(AttributeName.spNameQualifier) : nil
    }

    /// What the name identifier of either version says.
    ///
    /// - Throws: `subject.empty-name`, `xml.mixed-content`.
    init(reading element: Element, hasProviderParts: Bool) throws(TokenError) {
      value = try element.text()
      guard !value.utf8.allSatisfy(ASCII.isWhiteSpace) else {
        throw TokenError(.emptyNameIdentifier, node: element.path)
      }
      node = element
      self.hasProviderParts = hasProviderParts
    }

    /// Whether both name the same subject.
    func isSame(as other: Self) -> Bool {
      func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
      return bytes(value) == bytes(other.value) && bytes(format) == bytes(other.format)
        && bytes(qualifier) == bytes(other.qualifier)
    }
  }

  struct Confirmation {
    var node: Element
    var isBearer: Bool
    var method: String
    var data: ConfirmationData?
  }

  struct ConfirmationData {
    let node: Element
    var notBefore: Instant?
    var notOnOrAfter: Instant?
    var recipient: String? { node.collapsedAttribute(AttributeName.recipient) }
    var inResponseTo: String? { node.attribute(AttributeName.inResponseTo) }
  }

  struct Authentication {
    var node: Element
    var instant: Instant
    var sessionEnd: Instant?
  }

  /// The end of validity: the earlier of the assertion's and the confirmation's.
  var expires: Instant? {
    var end = conditions.notOnOrAfter
    for confirmation in subject?.confirmations ?? [] where confirmation.isBearer {
      guard let other = confirmation.data?.notOnOrAfter else { continue }
      end = min(end ?? other, other)
    }
    return end
  }

  init(_ assertion: Element) {
    node = assertion
    claims = ClaimTableBuilder(over: assertion.document.text, claimCount: 16)
  }

  /// The claims, and the facts with their texts beside them.
  consuming func result() -> (facts: TokenFacts, claims: ClaimSet) {
    let issuer = issuerText()
    let subject = subject?.nameIdentifier.map { claims.add($0.value) }
    let audiences = conditions.audiences.joined().map { claims.add($0) }
    let tokenID = claims.add(id)
    let table = ClaimTable(claims)
    let facts = TokenFacts(
      table, issuer: issuer, subject: subject, audiences: audiences[...],
      notBefore: conditions.notBefore, expires: expires, tokenID: tokenID)
    return (facts, ClaimSet(table))
  }
}
