import Instants
import XMLTree

/// What a Response of either version says around its assertion.
struct ResponseContent {
  var element: Element
  var id = ""
  var issuer: String?
  var issueInstant: Instant?
  var destination: String?
  var inResponseTo: String?
  /// The top-level status code; nil for success.
  var failure: String?
  var status: Element?
  var assertions: [Element] = []
  var encryptedAssertions: [Element] = []
}
