import Instants
import XMLTree

/// What a Response of either version says around its assertion.
struct ResponseContent {
  var element: Element
  var id = ""
  var issuer: String?
  var issueInstant: Instant?
  /// The attribute that says where the response was sent.
  var destinationName = AttributeName.destination
  /// The top-level status code; nil for success.
  var failure: String?
  var status: Element?
  var assertions: [Element] = []
  var encryptedAssertions: [Element] = []

  var destination: String? { element.collapsedAttribute(destinationName) }
  var inResponseTo: String? { element.attribute(AttributeName.inResponseTo) }
}
