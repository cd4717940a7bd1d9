import Claims
import Octets
import TokenBasics
import XMLTree

/// The parts of a Response of either version around its assertion. An object, because it is passed to many
/// readers.
final class ResponseContent: Sendable {
  let element: Element
  /// The Issuer element, whose text is all that it holds.
  let issuerElement: Element?
  let issueInstant: Instant?
  /// The attribute that names the destination.
  let destinationName: ExpandedName
  /// The status codes and the message of a failure; nil for success.
  let failure: String?
  let status: Element
  /// The first assertion, and the first encrypted one.
  let assertion: Element?
  let encryptedAssertion: Element?
  /// How many assertions there are, encrypted or not.
  let assertionCount: Int

  init(
    _ element: Element, issuerElement: Element? = nil, issueInstant: Instant?,
    destinationName: ExpandedName, status: Element, failure: String?, assertion: Element?,
    encryptedAssertion: Element? = nil, assertionCount: Int
  ) {
    self.element = element
    self.issuerElement = issuerElement
    self.issueInstant = issueInstant
    self.destinationName = destinationName
    self.status = status
    self.failure = failure
    self.assertion = assertion
    self.encryptedAssertion = encryptedAssertion
    self.assertionCount = assertionCount
  }

  /// The issuer's name in UTF-8; nil when none is named.
  var issuer: ArraySlice<UInt8>? { issuerElement.flatMap { try? $0.textBytes() } }

  /// What an error shows of a failure: enough for a chain of URIs and a sentence.
  static func shown(_ failure: String) -> String { TokenError.excerpt(failure, length: 512) }

  /// The destination and the request that it names, unsigned unless ``Delivery`` finds them under the
  /// signature of the message.
  var destination: UnsignedText? { UnsignedText(element.collapsedAttribute(destinationName)) }
  var inResponseTo: UnsignedText? {
    UnsignedText(element.attribute(AttributeName.inResponseTo))
  }
}

/// The text of a failed Status in one line: `Responder / AuthnFailed: wrong password`.
///
/// All of it is the sender's.
enum StatusText {
  /// The codes from the outermost to the innermost (SAML Core 3.2.2.2), then the message.
  ///
  /// - Parameter value: What is shown of a code.
  static func text(
    _ code: Element, _ message: Element?, value: (Element) -> String
  ) -> String {
    var codes: [String] = []
    var next: Element? = code
    while let code = next {
      codes.append(value(code))
      next = code.firstChild(named: code)
    }
    let chain = codes.joined(separator: " / ")
    guard let message, let text = try? message.text() else { return chain }
    let words = text.utf8.split(whereSeparator: ASCII.isWhiteSpace).map { String(Substring($0)) }
    return words.isEmpty ? chain : chain + ": " + words.joined(separator: " ")
  }
}

extension Element {
  /// The first child of the same name as another element.
  fileprivate func firstChild(named other: Element) -> Element? {
    (try? children())?.first {
      $0.localName == other.localName && $0.namespaceURI == other.namespaceURI
    }
  }
}
