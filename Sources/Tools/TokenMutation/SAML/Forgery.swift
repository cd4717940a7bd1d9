import XMLTree

/// Forged content in place of what was signed.
package enum Forgery {
  /// The subject that the attacker claims to be.
  package static let subject = "admin@rp.example"
  /// An identifier that no good token has.
  package static let identifier = "_forged"

  package enum Identifier: CaseIterable, Sendable {
    case same
    case other
    case absent
  }

  /// A copy of `element` with forged claims.
  ///
  /// - Parameters:
  ///   - element: The text of an `Assertion`, or of a `Response` with one.
  ///   - identifier: The copy's identifier.
  ///   - keepsSignature: Whether its own signature stays in it unchanged.
  package static func twin(
    of element: String, identifier: Identifier, keepsSignature: Bool
  ) -> String {
    let text = XMLText(Array(element.utf8))
    guard !text.elements.isEmpty else { return element }
    var edits: [XMLText.Edit] = []
    for index in text.elements.indices {
      let name = text.elements[index].localName
      if ["NameID", "NameIdentifier", "AttributeValue"].contains(name) {
        edits.append(text.replacingContent(of: index, with: subject))
      }
    }
    // A Response contains the forged assertion: its identifier would still occur twice.
    let infos = text.elements.filter { $0.localName == "SignedInfo" }.map(\.whole)
    for index in text.elements.indices where identifier != .same {
      let element = text.elements[index]
      // A signature that is kept is not edited.
      guard !infos.contains(where: { $0.contains(element.whole.lowerBound) }) else { continue }
      for name in ["ID", "Id", "AssertionID", "ResponseID"] {
        guard let attribute = element.attribute(name) else { continue }
        edits.append(
          identifier == .absent
            ? XMLText.Edit(attribute.whole, "")
            : XMLText.Edit(
              attribute.value, index == 0 ? self.identifier : "\(self.identifier)-\(index)"))
      }
    }
    if !keepsSignature {
      let signature = text.children(of: 0).first { text.elements[$0].localName == "Signature" }
      if let signature {
        // Edits inside it are dropped with it.
        edits.removeAll { text.elements[signature].whole.contains($0.range.lowerBound) }
        edits.append(text.removing(signature))
      }
    }
    return String(decoding: text.applying(edits), as: UTF8.self)
  }
}
