import Octets
import XMLTree

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
