import CLibXML2
import Octets
import TokenErrors

/// Where libxml2 finds the start tags of a document: a parse of its own, because whoever verifies needs no places.
@safe struct TagPlaces {
  private let octets: UnsafeBufferPointer<UInt8>
  private let context: xmlParserCtxtPtr
  private var places: [Range<Int>] = []
  /// Whether libxml2 told a place that is not in the octets, or had a document type before it.
  private var isBroken = false

  /// The start tags in document order, each from `<` to behind `>`; nil for octets that do not parse.
  static func ofStartTags(in octets: [UInt8], _ limits: Limits) -> [Range<Int>]? {
    _ = Parser.library
    guard (try? InputCheck.check(octets, limits)) != nil,
      let context = unsafe xmlNewParserCtxt()
    else { return nil }
    defer { unsafe xmlFreeParserCtxt(context) }
    unsafe installHandlers(context)
    // The parser needs a NUL after the document.
    let document = octets + [0]
    return unsafe document.withUnsafeBufferPointer { buffer in
      let source = unsafe UnsafeBufferPointer(rebasing: buffer.dropLast())
      var state = unsafe TagPlaces(octets: source, context: context)
      unsafe withUnsafeMutablePointer(to: &state) { state in
        unsafe cxml_reset(context, 0)
        unsafe context.pointee.userData = UnsafeMutableRawPointer(state)
        unsafe cxml_parse(context, source.baseAddress, source.count)
        unsafe context.pointee.userData = nil
      }
      guard !state.isBroken, unsafe Parser.verdict(of: context, hasRoot: true) == nil else {
        return nil
      }
      return state.places
    }
  }

  private init(octets: UnsafeBufferPointer<UInt8>, context: xmlParserCtxtPtr) {
    unsafe self.octets = octets
    unsafe self.context = context
  }

  private static func installHandlers(_ context: xmlParserCtxtPtr) {
    unsafe cxml_clear_handlers(context)
    guard let sax = unsafe context.pointee.sax else { return }
    unsafe sax.pointee.startElementNs = { data, _, _, _, _, _, _, _, _ in
      guard let state = unsafe data?.assumingMemoryBound(to: TagPlaces.self) else { return }
      unsafe state.pointee.add(state.pointee.context.pointee.input?.pointee.cur)
    }
    let doctype: internalSubsetSAXFunc = { data, _, _, _ in
      guard let state = unsafe data?.assumingMemoryBound(to: TagPlaces.self) else { return }
      unsafe state.pointee.isBroken = true
      unsafe xmlStopParser(state.pointee.context)
    }
    unsafe sax.pointee.internalSubset = doctype
    unsafe sax.pointee.externalSubset = doctype
  }

  /// Adds the tag before whose `>` or `/>` the parser is.
  ///
  /// A value has no raw `<` (XML 1.0, 3.1), so the last one before is the tag's own.
  private mutating func add(_ cursor: UnsafePointer<xmlChar>?) {
    let source = unsafe SourceOctets(octets)
    let place = unsafe source.offset(of: cursor)
    guard place < source.count, let start = unsafe octets[..<place].lastIndex(of: ASCII.lessThan)
    else {
      isBroken = true
      return
    }
    let isEmpty = source.has(UInt8(ascii: "/"), at: place)
    places.append(start..<(place + (isEmpty ? 2 : 1)))
  }
}
