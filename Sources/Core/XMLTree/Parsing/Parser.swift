import CLibXML2
import Octets
import Synchronization
import TokenBasics

/// The only caller of libxml2: one parser context, kept for many documents.
///
/// Options: no network, no messages, and none of those that read a DTD, replace entities, repair, or
/// change the octets that were signed.
@safe final class Parser {
  private let context: xmlParserCtxtPtr
  /// Nothing while a builder has it.
  private var names: NameTable?
  /// Memory for texts. Nothing while a builder has it.
  private var copies: OctetWriter?

  private init?() {
    _ = Self.library
    guard let context = unsafe xmlNewParserCtxt() else { return nil }
    unsafe self.context = context
    unsafe Self.installHandlers(context)
  }

  deinit { unsafe xmlFreeParserCtxt(context) }

  /// Parses with a parser of the pool.
  ///
  /// - Throws: `xml.*`, `input.too-large`, `input.empty`.
  static func parse(_ bytes: consuming [UInt8], limits: Limits) throws(TokenError) -> Document {
    var parsedCount = 0
    return try parse(consume bytes, limits: limits, parsedCount: &parsedCount)
  }

  /// As ``parse(_:limits:)``.
  ///
  /// - Parameter parsedCount: Grows by the octets up to the last tag or text that was parsed.
  static func parse(
    _ bytes: consuming [UInt8], limits: Limits, parsedCount: inout Int
  ) throws(TokenError) -> Document {
    let tagCount = try InputCheck.check(bytes, limits)
    try AmpersandForm.required()
    let idleParser = idle.withLock { $0.popLast() }
    guard let parser = idleParser?.parser ?? Parser() else {
      throw TokenError(.malformedXML, expected: "memory for a parser")
    }
    // After a failure too: a new parser for the next document would tell how this one ended.
    defer {
      if parser.isUseful {
        let idleParser = IdleParser(parser: parser)
        idle.withLock { $0.append(idleParser) }
      }
    }
    return try parser.parse(
      consume bytes, tagCount: tagCount, limits: limits, parsedCount: &parsedCount)
  }

  private func parse(
    _ bytes: consuming [UInt8], tagCount: Int, limits: Limits, parsedCount: inout Int
  ) throws(TokenError) -> Document {
    // The parser needs a NUL after the document. Mostly the array is unique and has room.
    bytes.append(0)
    let builder = unsafe bytes.span.withUnsafeBufferPointer { buffer in
      let document = unsafe UnsafeBufferPointer(rebasing: buffer.dropLast())
      return unsafe build(document, tagCount: tagCount, limits: limits)
    }
    bytes.removeLast()
    let verdict = verdict(of: builder)
    parsedCount += builder.position
    let document = builder.finish(consume bytes, &names, &copies)
    if let verdict { throw verdict }
    return document
  }

  /// - Parameter document: A NUL follows it.
  // Inlined, because what it answers is large.
  @inline(__always)
  private func build(
    _ document: UnsafeBufferPointer<UInt8>, tagCount: Int, limits: Limits
  ) -> TreeBuilder {
    unsafe cxml_reset(context, 0)
    // Names are known by their addresses, which are worth nothing in another dictionary.
    let dictionary = unsafe context.pointee.dict
    if unsafe names?.dictionary != dictionary { names = nil }
    var state = unsafe Events(
      builder: TreeBuilder(
        source: SourceOctets(document), names: names.take() ?? NameTable(dictionary),
        copies: copies.take() ?? OctetWriter(), tagCount: tagCount, limits: limits),
      context: context)
    unsafe withUnsafeMutablePointer(to: &state) { state in
      unsafe context.pointee.userData = UnsafeMutableRawPointer(state)
      unsafe cxml_parse(context, document.baseAddress, document.count)
      unsafe context.pointee.userData = nil
    }
    return state.builder
  }

  /// Whether the next document profits from the names of those before it. Names of a tag that is refused are in
  /// the context's dictionary alone.
  private var isUseful: Bool {
    unsafe names?.shouldDiscard == false
      && xmlDictSize(context.pointee.dict) <= Int32(NameTable.keptNames)
      && xmlDictGetUsage(context.pointee.dict) <= NameTable.keptOctets
  }

  /// A parser that reported anything at all, a warning included, has not accepted the document.
  private func verdict(of builder: borrowing TreeBuilder) -> TokenError? {
    if let failure = builder.failure { return failure }
    return unsafe Self.verdict(of: context, hasRoot: builder.hasRoot)
  }

  /// The error of the context so far, if there is one.
  static func verdict(of context: xmlParserCtxtPtr, hasRoot: Bool) -> TokenError? {
    let error = unsafe context.pointee.lastError
    let isAccepted =
      unsafe context.pointee.wellFormed == 1 && context.pointee.nsWellFormed == 1
      && context.pointee.errNo == 0 && context.pointee.disableSAX == 0
    if isAccepted, hasRoot, unsafe isHarmless(error.code) { return nil }
    let place = unsafe "line \(error.line), column \(error.int2)"
    let code: TokenError.Code
    switch unsafe error.code {
    case Int32(bitPattern: XML_ERR_UNDECLARED_ENTITY.rawValue):
      code = .entityReference
    case 200..<210:
      code = .malformedNamespace
    case Int32(bitPattern: XML_WAR_NS_URI_RELATIVE.rawValue),
      Int32(bitPattern: XML_WAR_NS_URI.rawValue):
      code = .namespaceURI
    // The last thing that the parser said may be a warning that is harmless by itself.
    case let last where unsafe isHarmless(last) && context.pointee.nsWellFormed != 1:
      code = .malformedNamespace
    default:
      code = .malformedXML
    }
    return TokenError(code, node: place)
  }

  /// Whether the parser reports nothing, or only that `xml:space` is neither `default` nor `preserve`,
  /// which is for an application to mind (XML 1.0, 2.10). The last warning hides those before it, but what
  /// else it could warn of is looked for elsewhere: names of namespaces by the builder, the version by
  /// ``InputCheck``.
  private static func isHarmless(_ code: Int32) -> Bool {
    code == 0 || code == Int32(bitPattern: XML_WAR_SPACE_VALUE.rawValue)
  }

  /// One parser serves one thread at a time; the pool passes it on.
  private struct IdleParser: @unchecked Sendable {
    let parser: Parser
  }

  private static let idle = Mutex<[IdleParser]>([])

  /// Runs once, before the first parse.
  static let library: Void = {
    xmlInitParser()
    cxml_silence()
  }()
}

/// What the callbacks get as their user data.
@safe private struct Events: ~Copyable {
  var builder: TreeBuilder
  let context: xmlParserCtxtPtr
}

extension Parser {
  private static func installHandlers(_ context: xmlParserCtxtPtr) {
    unsafe cxml_clear_handlers(context)
    guard let sax = unsafe context.pointee.sax else { return }
    unsafe sax.pointee.startElementNs = {
      data, local, prefix, uri, namespaceCount, namespaces, attributeCount, _, attributes in
      guard let events = unsafe data?.assumingMemoryBound(to: Events.self),
        let local = unsafe local
      else { return }
      let goesOn = unsafe events.pointee.builder.startElement(
        local: local, prefix: prefix, uri: uri, namespaceCount: Int(namespaceCount),
        namespaceList: namespaces, attributeCount: Int(attributeCount), attributeList: attributes,
        cursor: events.pointee.context.pointee.input?.pointee.cur)
      if !goesOn { unsafe xmlStopParser(events.pointee.context) }
    }
    unsafe sax.pointee.endElementNs = { data, _, _, _ in
      unsafe data?.assumingMemoryBound(to: Events.self).pointee.builder.endElement()
    }
    let text: charactersSAXFunc = { data, characters, count in
      unsafe data?.assumingMemoryBound(to: Events.self).pointee.builder.text(
        UnsafeBufferPointer(start: characters, count: Int(count)))
    }
    unsafe sax.pointee.characters = text
    unsafe sax.pointee.ignorableWhitespace = text
    unsafe sax.pointee.cdataBlock = text
    unsafe sax.pointee.comment = { data, characters in
      unsafe data?.assumingMemoryBound(to: Events.self).pointee.builder.comment(
        UnsafeBufferPointer(start: characters, count: Int(xmlStrlen(characters))))
    }
    unsafe sax.pointee.processingInstruction = { data, target, characters in
      guard let events = unsafe data?.assumingMemoryBound(to: Events.self),
        let target = unsafe target
      else { return }
      let goesOn = unsafe events.pointee.builder.processingInstruction(
        target: target, UnsafeBufferPointer(start: characters, count: Int(xmlStrlen(characters))))
      if !goesOn { unsafe xmlStopParser(events.pointee.context) }
    }
    // Called before any of the internal subset is read.
    let doctype: internalSubsetSAXFunc = { data, _, _, _ in
      guard let events = unsafe data?.assumingMemoryBound(to: Events.self) else { return }
      unsafe events.pointee.builder.doctype()
      unsafe xmlStopParser(events.pointee.context)
    }
    unsafe sax.pointee.internalSubset = doctype
    unsafe sax.pointee.externalSubset = doctype
  }
}

/// The version of libxml2 that the build saw.
package enum XMLLibrary {
  package static var version: String { LIBXML_DOTTED_VERSION }
}
