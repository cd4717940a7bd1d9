import TokenMutation
import XMLTree

/// Every document in which a forged copy of the signed element is beside, around or inside the
/// genuine one (signature wrapping, XSW).
struct WrapGenerator {
  let message: MessageText

  init?(_ octets: [UInt8]) {
    guard let message = MessageText(octets) else { return nil }
    self.message = message
  }

  /// The position of the genuine signature.
  enum Placement: CaseIterable {
    /// It stays in the genuine element.
    case genuine
    /// Into the forged one, at its position in the genuine one.
    case twin
    /// Into the forged one, before everything else.
    case twinFirst
    /// Into both.
    case both
    /// Beside the genuine element.
    case beside
    /// Into the document element.
    case root
  }

  /// The elements around the displaced element.
  static let wrappers = [
    ("", ""), ("<x>", "</x>"), ("<e:x xmlns:e=\"urn:evil\">", "</e:x>"),
    ("<e:Extensions xmlns:e=\"urn:oasis:names:tc:SAML:2.0:protocol\">", "</e:Extensions>"),
    ("<e:Advice xmlns:e=\"urn:oasis:names:tc:SAML:2.0:assertion\">", "</e:Advice>"),
    ("<e:Object xmlns:e=\"\(MessageText.signatureNamespace)\">", "</e:Object>"),
  ]

  /// Calls `body` with each document.
  func forEach(_ body: ([UInt8]) -> Void) {
    for (element, signature) in targets {
      for identifier in Forgery.Identifier.allCases {
        for placement in Placement.allCases {
          let pieces = pieces(element, signature, identifier, placement)
          for wrapper in Self.wrappers {
            displaced(pieces, element, signature, placement, wrapper, body)
          }
        }
      }
    }
  }

  /// Each element that may be wrapped, with each signature that may go with it.
  private var targets: [(element: Int, signature: Int)] {
    let elements = [message.response, message.assertion].compactMap { $0 }
    let signatures = [message.responseSignature, message.assertionSignature].compactMap { $0 }
    return elements.flatMap { element in signatures.map { (element, $0) } }
  }

  private struct Pieces {
    let genuine: String
    let twin: String
    let signature: String
  }

  private func pieces(
    _ element: Int, _ signature: Int, _ identifier: Forgery.Identifier, _ placement: Placement
  ) -> Pieces {
    let text = message.whole(signature)
    let isOwn = message.text.elements[signature].parent == element
    let keeps = placement == .genuine || placement == .both
    var twin = Forgery.twin(
      of: message.whole(element), identifier: identifier,
      keepsSignature: isOwn && (placement == .twin || placement == .both))
    if placement == .twinFirst || (placement == .twin && !isOwn) {
      let copy = XMLText(Array(twin.utf8))
      twin = String(decoding: copy.applying([copy.prepending(text, to: 0)]), as: UTF8.self)
    }
    let bare = isOwn ? message.whole(element, without: signature) : message.whole(element)
    return Pieces(
      genuine: (keeps ? message.whole(element) : bare), twin: twin, signature: text)
  }

  private func displaced(
    _ pieces: Pieces, _ element: Int, _ signature: Int, _ placement: Placement,
    _ wrapper: (String, String), _ body: ([UInt8]) -> Void
  ) {
    let place = message.text.elements[element].whole
    let beside = placement == .beside ? pieces.signature : ""
    let genuine = wrapper.0 + beside + pieces.genuine + wrapper.1
    let twin = wrapper.0 + pieces.twin + wrapper.1
    // The forged one takes the genuine one's place, which moves to every position.
    insert(genuine, pieces, placement, into: replacing(place, pieces.twin), body)
    // The genuine one stays, the forged one moves to every position.
    insert(twin, pieces, placement, into: replacing(place, beside + pieces.genuine), body)
    // Both move to every position around them.
    guard message.text.elements[element].parent != nil else { return }
    let rest = XMLText(replacing(place, ""))
    let root = root(rest, pieces, placement)
    for first in positions(rest) {
      for second in positions(rest) {
        let edits = [XMLText.Edit(at: first, genuine), XMLText.Edit(at: second, twin)]
        body(rest.applying(edits + root))
        if first == second { body(rest.applying(edits.reversed() + root)) }
      }
    }
  }

  private func replacing(_ place: Range<Int>, _ piece: String) -> [UInt8] {
    message.text.applying([XMLText.Edit(place, piece)])
  }

  private func insert(
    _ piece: String, _ pieces: Pieces, _ placement: Placement, into document: [UInt8],
    _ body: ([UInt8]) -> Void
  ) {
    let text = XMLText(document)
    let root = root(text, pieces, placement)
    for position in positions(text) {
      body(text.applying([XMLText.Edit(at: position, piece)] + root))
    }
  }

  private func root(
    _ text: XMLText, _ pieces: Pieces, _ placement: Placement
  ) -> [XMLText.Edit] {
    placement == .root ? [text.prepending(pieces.signature, to: 0)] : []
  }

  /// Before and after each element but the outermost, and at the end of each one's content.
  private func positions(_ text: XMLText) -> [Int] {
    var positions: Set<Int> = []
    for element in text.elements {
      if element.parent != nil {
        positions.insert(element.whole.lowerBound)
        positions.insert(element.whole.upperBound)
      }
      if !element.closesItself { positions.insert(element.content.upperBound) }
    }
    return positions.sorted()
  }
}
