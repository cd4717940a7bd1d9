import Claims
import XMLTree

/// Where in a document the values of claims are.
struct ClaimOrigins {
  private let document: Document
  /// By the start of the value in the octets of the document.
  private var places: [Int: Place] = [:]
  /// The first statement about a sign-in, whose moment a claim has in another form.
  private var statement: Element?

  struct Place {
    let element: Element
    var attribute: Element.WrittenAttribute?

    var path: String {
      attribute.map { "\(element.path)/@\($0.qualifiedName)" } ?? element.path
    }

    /// Whether a masked page shows the value.
    var isPublic: Bool {
      attribute.map { XMLVisibility.shows($0, of: element) }
        ?? XMLVisibility.showsText(of: element)
    }
  }

  /// - Parameter read: The assertion whose claims they are.
  init(_ document: Document, reading read: Element?) {
    self.document = document
    let range = read.map { $0.position..<$0.endPosition } ?? 0..<0
    var open: [Element] = []
    for step in DocumentWalk(document) {
      switch step {
      case .start(let element):
        open.append(element)
        if statement == nil, range.contains(element.position),
          Self.statements.contains(element.localName)
        {
          statement = element
        }
        for attribute in element.attributes where !attribute.value.isEmpty {
          places[attribute.value.lowerBound] = Place(element: element, attribute: attribute)
        }
      case .end: open.removeLast()
      case .text(let range):
        if let element = open.last, !range.isEmpty {
          places[range.lowerBound] = Place(element: element)
        }
      case .comment, .instruction: break
      }
    }
  }

  private static let statements: Set<String> = ["AuthnStatement", "AuthenticationStatement"]
  private static let instants: Set<String> = ["AuthnInstant", "AuthenticationInstant"]

  /// Where a claim's value is; nil for texts that were joined or decrypted.
  func place(of value: ClaimText, of claim: Claim, in table: ClaimTable) -> Place? {
    // Of the same document.
    if !value.isAdded, table.octets.count == document.octets.count {
      return places[value.range.lowerBound]
    }
    guard claim.type == .authenticationInstant, let statement else { return nil }
    let instant = statement.attributes.first { Self.instants.contains($0.localName) }
    return Place(element: statement, attribute: instant)
  }
}
