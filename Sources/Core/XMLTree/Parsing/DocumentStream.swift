import CLibXML2
import Octets
package import TokenBasics

/// A document too large to hold, parsed in parts: each child of a container element is a document
/// of its own, with the namespaces that were in scope around it.
///
/// The same refusals as for a whole document hold for each part: no DOCTYPE, no entity, UTF-8, and the
/// limits. Memory is bounded by the largest part, not by the document.
@safe package final class DocumentStream {
  /// What comes out of the stream, in document order.
  package enum Part: Sendable {
    /// A container opens: an element with its attributes, without content.
    case containerStart(Document)
    /// The container that opened last closes.
    case containerEnd
    /// A child of a container, or a document element that is no container.
    case child(Document)
    /// Text between the children of a container, a piece of it; only where everything is kept.
    case text([UInt8])
    /// A processing instruction between the children of a container, or beside the document element; only where
    /// everything is kept.
    case instruction(target: [UInt8], data: [UInt8])
  }

  private let context: xmlParserCtxtPtr
  private let events: UnsafeMutablePointer<StreamEvents>
  private let limits: Limits
  private var pending: [UInt8] = []
  private var isFirst = true
  /// Whether the last octet was a carriage return, with which a line feed would be one line end.
  private var endsInReturn = false
  private var length = 0

  /// - Parameters:
  ///   - containers: The elements whose children are the parts.
  ///   - limits: What holds for each part.
  ///   - keepsEverything: Whether text and instructions between the parts are parts too, as canonical form needs.
  ///     Without it text other than white space is refused there.
  /// - Throws: `xml.malformed` when there is no memory.
  package init(
    containers: [ExpandedName], limits: Limits, keepsEverything: Bool = false
  ) throws(TokenError) {
    _ = Parser.library
    try AmpersandForm.required()
    guard let context = unsafe xmlCreatePushParserCtxt(nil, nil, nil, 0, nil) else {
      throw TokenError(.malformedXML, expected: "memory for a parser")
    }
    unsafe self.context = context
    self.limits = limits
    unsafe events = UnsafeMutablePointer.allocate(capacity: 1)
    unsafe events.initialize(
      to: StreamEvents(
        builder: StreamBuilder(
          containers: containers, limits: limits, keepsEverything: keepsEverything,
          dictionary: context.pointee.dict),
        context: context))
    unsafe StreamEvents.installHandlers(context)
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
      | XML_PARSE_IGNORE_ENC.rawValue
    unsafe xmlCtxtUseOptions(context, Int32(bitPattern: options))
    unsafe context.pointee.userData = UnsafeMutableRawPointer(events)
  }

  deinit {
    unsafe xmlFreeParserCtxt(context)
    unsafe events.deinitialize(count: 1)
    unsafe events.deallocate()
  }

  /// Parses the next bytes. Returns the parts that they complete.
  ///
  /// - Throws: `xml.*`, `input.too-large`, `policy.metadata-stream-size`.
  package func consume(_ bytes: [UInt8]) throws(TokenError) -> [Part] {
    length += bytes.count
    guard length <= Self.lengthLimit else {
      throw TokenError(.metadataStreamTooLarge, expected: "at most \(Self.lengthLimit) bytes")
    }
    addNormalised(bytes)
    // A tag is checked whole and so ends before a later `<`, which no attribute value contains.
    guard let last = pending.lastIndex(of: ASCII.lessThan), last > 3 else {
      try checkPending()
      return []
    }
    let part = Array(pending[..<last])
    pending.removeFirst(last)
    try checkPending()
    return try parse(part, isLast: false)
  }

  /// Ends the document. Returns the remaining parts.
  ///
  /// - Throws: `xml.*`, `input.empty`.
  package func finish() throws(TokenError) -> [Part] {
    guard length > 0 else { throw TokenError(.emptyInput) }
    let parts = try parse(pending, isLast: true)
    pending = []
    return parts
  }

  /// Adds octets with their line ends normalised (XML 1.0, 2.11). Where it parses in pieces, libxml2 leaves those of
  /// CDATA sections as they are.
  private func addNormalised(_ bytes: [UInt8]) {
    var rest = bytes[...]
    if endsInReturn, rest.first == ASCII.lineFeed { rest.removeFirst() }
    if let last = bytes.last { endsInReturn = last == ASCII.carriageReturn }
    while let place = rest.firstIndex(of: ASCII.carriageReturn) {
      pending += rest[..<place]
      pending.append(ASCII.lineFeed)
      rest = rest[(place + 1)...]
      if rest.first == ASCII.lineFeed { rest.removeFirst() }
    }
    pending += rest
  }

  private func checkPending() throws(TokenError) {
    guard pending.count <= limits.bytes else {
      throw TokenError(.inputTooLarge, expected: "at most \(limits.bytes) bytes without a tag")
    }
  }

  private func parse(_ bytes: [UInt8], isLast: Bool) throws(TokenError) -> [Part] {
    var bytes = bytes
    _ = try InputCheck.check(part: bytes, isFirst: isFirst, limits)
    if isFirst, bytes.starts(with: InputCheck.byteOrderMark) {
      bytes.removeFirst(InputCheck.byteOrderMark.count)
    }
    isFirst = false
    let status = unsafe bytes.withUnsafeBytes { bytes in
      unsafe xmlParseChunk(
        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count),
        isLast ? 1 : 0)
    }
    if let failure = unsafe events.pointee.builder.verdict { throw failure }
    let isComplete = unsafe events.pointee.builder.isComplete
    if let error = unsafe Parser.verdict(of: context, hasRoot: !isLast || isComplete) {
      throw error
    }
    guard status == 0 else { throw TokenError(.malformedXML) }
    return unsafe events.pointee.builder.takeReady()
  }

  /// Bytes of a whole stream: 1 GiB, twenty times the largest federation there is.
  private static let lengthLimit = 1 << 30
}
