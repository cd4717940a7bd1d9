import TokenBasics
import XMLTree

extension ReversibleText {
  /// The content of an element without elements inside: text with references, sections of CDATA, and comments and
  /// processing instructions, which divide the text but are no part of it.
  ///
  /// Nil where there is an element, or markup that does not end.
  ///
  /// - Parameter aside: What is written in place of a comment or processing instruction.
  init?(
    content source: ArraySlice<UInt8>,
    aside: (_ whole: ArraySlice<UInt8>, _ piece: SourceMarkup.Piece) -> [UInt8] = { whole, _ in
      Array(whole)
    }
  ) {
    self.init()
    let octets = Array(source)
    for piece in SourceMarkup(fragment: octets).pieces {
      switch piece.kind {
      case .text: append(xml: octets[piece.whole])
      case .cdata:
        append(aside: octets[piece.whole.lowerBound..<piece.content.lowerBound])
        append(literal: octets[piece.content])
        append(aside: octets[piece.content.upperBound..<piece.whole.upperBound])
      case .comment, .instruction:
        guard piece.content.upperBound < piece.whole.upperBound else { return nil }
        append(aside: aside(octets[piece.whole], piece))
      case .declaration, .startTag, .endTag: return nil
      }
    }
  }
}
