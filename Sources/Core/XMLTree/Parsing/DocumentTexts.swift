import CLibXML2
import Octets

/// The texts and attribute values of a document that is being parsed. Those that canonical form writes
/// unchanged stay where they are; the others are appended to the document.
@safe struct DocumentTexts: ~Copyable {
  /// The document, where it lies in one piece.
  let source: SourceOctets
  private var copies: OctetWriter
  private let hasReferences = AmpersandForm.current?.isReferenceInValues == true
  /// Whether libxml2 handed over a value in a way that is not known.
  private(set) var hasForeignValues = false

  /// - Parameter copies: Memory, whose content is forgotten.
  init(source: SourceOctets, copies: consuming OctetWriter) {
    self.source = source
    self.copies = copies
    self.copies.removeAll()
  }

  /// How many bytes were copied.
  var copiedCount: Int { copies.count }

  /// Where the next copy begins.
  private var end: Int { source.count &+ copies.count }

  /// Adds the copies to the octets of the source, and gives their memory back.
  consuming func finish(_ octets: inout [UInt8], _ memory: inout OctetWriter?) {
    copies.append(to: &octets)
    let kept = copies
    memory = consume kept
  }

  /// The range of a copy of these bytes.
  mutating func copy(_ bytes: UnsafeBufferPointer<xmlChar>) -> Range<Int> {
    let start = end
    unsafe copies.append(bytes.span)
    return start..<end
  }

  /// The range of a piece of text in the source, if canonical form writes it unchanged.
  @inline(__always)
  func plainPlace(ofText text: UnsafeBufferPointer<xmlChar>) -> Range<Int>? {
    guard let place = unsafe source.place(of: text), unsafe Escaping.isPlainText(text.span)
    else { return nil }
    return place
  }

  /// The range of the last text after another piece was added to it.
  mutating func join(
    _ text: Range<Int>, with piece: UnsafeBufferPointer<xmlChar>, plainPlace: Range<Int>?
  ) -> Range<Int> {
    if let plainPlace, plainPlace.lowerBound == text.upperBound {
      return text.lowerBound..<plainPlace.upperBound
    }
    // What was copied last is the text so far, or nothing of it was.
    let whole = unsafe text.upperBound <= source.count ? copy(source[text]) : text
    return unsafe whole.lowerBound..<copy(piece).upperBound
  }

  /// The range of the value of an attribute.
  @inline(__always)
  mutating func place(ofValue value: UnsafeBufferPointer<xmlChar>) -> Range<Int> {
    if let place = unsafe source.place(of: value), unsafe Escaping.isPlainAttribute(value.span) {
      return place
    }
    let start = end
    unsafe appendValue(value)
    return start..<end
  }

  /// Where libxml2 leaves entities alone, each `&` of a value begins the reference `&#38;`: references to other
  /// entities do not get this far.
  private mutating func appendValue(_ value: UnsafeBufferPointer<xmlChar>) {
    guard hasReferences else { return unsafe copies.append(value.span) }
    let isPlain = unsafe copies.append(
      value.span, unless: { ByteVector.equal(UInt8(ascii: "&"), $0) })
    guard !isPlain else { return }
    guard let plain = unsafe AmpersandForm.withoutReferences(Array(value)) else {
      return hasForeignValues = true
    }
    copies.append(plain.span)
  }
}
