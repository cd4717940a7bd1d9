import CLibXML2

/// What the callbacks of a ``DocumentStream`` get as their user data.
@safe struct StreamEvents: ~Copyable {
  var builder: StreamBuilder
  let context: xmlParserCtxtPtr

  /// The same handlers as a whole document's, into the other builder.
  static func installHandlers(_ context: xmlParserCtxtPtr) {
    unsafe cxml_clear_handlers(context)
    guard let sax = unsafe context.pointee.sax else { return }
    unsafe sax.pointee.startElementNs = {
      data, local, prefix, uri, namespaceCount, namespaces, attributeCount, _, attributes in
      guard let events = unsafe data?.assumingMemoryBound(to: StreamEvents.self),
        let local = unsafe local
      else { return }
      let goesOn = unsafe events.pointee.builder.startElement(
        local: local, prefix: prefix, uri: uri, namespaceCount: Int(namespaceCount),
        namespaceList: namespaces, attributeCount: Int(attributeCount), attributeList: attributes)
      unsafe stop(events, unless: goesOn)
    }
    unsafe sax.pointee.endElementNs = { data, _, _, _ in
      unsafe data?.assumingMemoryBound(to: StreamEvents.self).pointee.builder.endElement()
    }
    let text: charactersSAXFunc = { data, characters, count in
      guard let events = unsafe data?.assumingMemoryBound(to: StreamEvents.self) else { return }
      let goesOn = unsafe events.pointee.builder.text(
        UnsafeBufferPointer(start: characters, count: Int(count)))
      unsafe stop(events, unless: goesOn)
    }
    unsafe sax.pointee.characters = text
    unsafe sax.pointee.ignorableWhitespace = text
    unsafe sax.pointee.cdataBlock = text
    unsafe sax.pointee.comment = { data, characters in
      guard let events = unsafe data?.assumingMemoryBound(to: StreamEvents.self) else { return }
      let goesOn = unsafe events.pointee.builder.comment(
        UnsafeBufferPointer(start: characters, count: Int(xmlStrlen(characters))))
      unsafe stop(events, unless: goesOn)
    }
    unsafe sax.pointee.processingInstruction = { data, target, characters in
      guard let events = unsafe data?.assumingMemoryBound(to: StreamEvents.self),
        let target = unsafe target
      else { return }
      let goesOn = unsafe events.pointee.builder.processingInstruction(
        target: target, UnsafeBufferPointer(start: characters, count: Int(xmlStrlen(characters))))
      unsafe stop(events, unless: goesOn)
    }
    // Called before any of the internal subset is read.
    let doctype: internalSubsetSAXFunc = { data, _, _, _ in
      guard let events = unsafe data?.assumingMemoryBound(to: StreamEvents.self) else { return }
      unsafe events.pointee.builder.doctype()
      unsafe stop(events, unless: false)
    }
    unsafe sax.pointee.internalSubset = doctype
    unsafe sax.pointee.externalSubset = doctype
  }
}

private func stop(_ events: UnsafeMutablePointer<StreamEvents>, unless goesOn: Bool) {
  if !goesOn { unsafe xmlStopParser(events.pointee.context) }
}
