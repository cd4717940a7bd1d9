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
  var claims: [Claim] = []
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

  struct NameIdentifier: Equatable {
    var value: String
    var format: String?
    var qualifier: String?
    var spQualifier: String?
    var spProvidedID: String?
    var node: Element

    static func == (left: Self, right: Self) -> Bool {
      func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
      return bytes(left.value) == bytes(right.value) && bytes(left.format) == bytes(right.format)
        && bytes(left.qualifier) == bytes(right.qualifier)
    }

    /// What the name identifier of either version says.
    ///
    /// - Throws: `subject.empty-name`, `xml.mixed-content`.
    init(reading element: Element) throws(TokenError) {
      value = try element.text()
      guard !value.utf8.allSatisfy(ASCII.isWhiteSpace) else {
        throw TokenError(.emptyNameIdentifier, node: element.path)
      }
      format = element.attribute(AttributeName.format)
      qualifier = element.attribute(AttributeName.nameQualifier)
      node = element
    }

    /// The claim that the subject's name becomes.
    func claim(issuer: String) -> Claim {
      var properties: [String: String] = [:]
      properties[Claim.propertyPrefix + "format"] = format
      properties[Claim.propertyPrefix + "namequalifier"] = qualifier
      properties[Claim.propertyPrefix + "spnamequalifier"] = spQualifier
      properties[Claim.propertyPrefix + "spprovidedid"] = spProvidedID
      return Claim(.nameIdentifier, value, issuer: issuer, properties: properties)
    }
  }

  struct Confirmation {
    var node: Element
    var isBearer: Bool
    var method: String
    var data: ConfirmationData?
  }

  struct ConfirmationData {
    var notBefore: Instant?
    var notOnOrAfter: Instant?
    var recipient: String?
    var inResponseTo: String?
  }

  struct Authentication {
    var node: Element
    var instant: Instant
    var sessionEnd: Instant?
  }

  /// The end of validity: the earlier of the assertion's and the confirmation's.
  var expires: Instant? {
    let ends =
      [conditions.notOnOrAfter]
      + (subject?.confirmations.filter(\.isBearer).map { $0.data?.notOnOrAfter } ?? [])
    return ends.compactMap { $0 }.min()
  }

  init(_ assertion: Element) { node = assertion }

  var facts: TokenFacts {
    TokenFacts(
      issuer: issuer, subject: subject?.nameIdentifier?.value,
      audiences: conditions.audiences.flatMap { $0 }, notBefore: conditions.notBefore,
      expires: expires, tokenID: id)
  }
}
