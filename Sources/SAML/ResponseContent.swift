import Instants
import XMLTree

/// What a Response of either version says around its assertion. An object, because many ask it a little.
final class ResponseContent: Sendable {
  let element: Element
  let id: String
  let issuer: String?
  let issueInstant: Instant?
  /// The attribute that says where the response was sent.
  let destinationName: ExpandedName
  /// The top-level status code; nil for success.
  let failure: String?
  let status: Element
  let assertions: [Element]
  let encryptedAssertions: [Element]

  init(
    _ element: Element, id: String, issuer: String? = nil, issueInstant: Instant?,
    destinationName: ExpandedName, status: Element, failure: String?, assertions: [Element],
    encryptedAssertions: [Element] = []
  ) {
    self.element = element
    self.id = id
    self.issuer = issuer
    self.issueInstant = issueInstant
    self.destinationName = destinationName
    self.status = status
    self.failure = failure
    self.assertions = assertions
    self.encryptedAssertions = encryptedAssertions
  }

  var destination: String? { element.collapsedAttribute(destinationName) }
  var inResponseTo: String? { element.attribute(AttributeName.inResponseTo) }
}
