import CLibXML2

/// libxml2 without handlers. What `claims bench` compares with.
@safe package final class BareParse {
  private let context: xmlParserCtxtPtr

  package init?() {
    _ = Parser.library
    guard let context = unsafe xmlNewParserCtxt() else { return nil }
    unsafe self.context = context
    unsafe cxml_clear_handlers(context)
  }

  deinit { unsafe xmlFreeParserCtxt(context) }

  /// Parses `document`, which a NUL follows. Returns whether it is well-formed.
  package func parse(_ document: [UInt8]) -> Bool {
    return unsafe document.withUnsafeBufferPointer { bytes in
      unsafe cxml_reset(context, 0)
      unsafe cxml_parse(context, bytes.baseAddress, bytes.count - 1)
      return unsafe context.pointee.wellFormed == 1
    }
  }
}
