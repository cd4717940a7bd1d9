import CLibXML2
package import XMLTree

/// A document as libxml2 itself reads and canonicalizes it: the reference for our own canonicalizer.
@safe package final class LibXML2Tree {
  private let document: xmlDocPtr
  /// The elements in document order, and for each the number of the last one inside it.
  private var elements: [xmlNodePtr] = unsafe []
  private var lasts: [Int] = []

  package init?(parsing bytes: [UInt8]) {
    _ = Self.library
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    let parsed = unsafe bytes.withUnsafeBytes { bytes in
      unsafe xmlReadMemory(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), nil, nil,
        Int32(bitPattern: options))
    }
    guard let parsed = unsafe parsed else { return nil }
    unsafe document = parsed
    if let root = unsafe xmlDocGetRootElement(parsed) { unsafe number(root) }
  }

  deinit { unsafe xmlFreeDoc(document) }

  package var elementCount: Int { unsafe elements.count }

  /// The number of the last element inside that one, itself included.
  package func last(_ element: Int) -> Int { lasts[element] }

  /// The namespace and local name of an element.
  package func name(_ element: Int) -> (uri: String, local: String) {
    let node = unsafe elements[element]
    let uri = unsafe node.pointee.ns?.pointee.href.map { unsafe Self.text($0) }
    return unsafe (uri ?? "", Self.text(node.pointee.name))
  }

  /// The values of `xml:base` from an element outwards.
  package func bases(_ element: Int) -> [String] {
    var bases: [String] = []
    var current: xmlNodePtr? = unsafe elements[element]
    while let node = unsafe current, unsafe node.pointee.type == XML_ELEMENT_NODE {
      if let value = unsafe xmlGetNsProp(node, "base", "http://www.w3.org/XML/1998/namespace") {
        unsafe bases.append(Self.text(value))
        unsafe cxml_free(value)
      }
      unsafe current = node.pointee.parent
    }
    return bases
  }

  /// The canonical form of an element (of the document where there is none) without another one.
  package func octets(
    _ apex: Int?, omitting omitted: Int?, _ method: CanonicalizationMethod
  ) -> [UInt8]? {
    var selection = Selection(wholeDocument: apex == nil)
    if let apex { selection.included = apex...lasts[apex] }
    if let omitted { selection.omitted = omitted...lasts[omitted] }
    let mode =
      switch method.algorithm {
      case .inclusive10: XML_C14N_1_0
      case .inclusive11: XML_C14N_1_1
      case .exclusive: XML_C14N_EXCLUSIVE_1_0
      }
    guard let buffer = unsafe xmlAllocOutputBuffer(nil) else { return nil }
    defer { unsafe xmlOutputBufferClose(buffer) }
    var prefixes = unsafe method.inclusivePrefixes.map { unsafe xmlStrdup($0) }
    defer { unsafe prefixes.forEach { unsafe cxml_free($0) } }
    unsafe prefixes.append(nil)
    let result = unsafe withUnsafeMutablePointer(to: &selection) { selection in
      unsafe prefixes.withUnsafeMutableBufferPointer { prefixes in
        unsafe xmlC14NExecute(
          document, Self.isVisible, selection, Int32(mode.rawValue), prefixes.baseAddress,
          method.withComments ? 1 : 0, buffer)
      }
    }
    guard result >= 0 else { return nil }
    return unsafe Array(
      UnsafeBufferPointer(
        start: xmlOutputBufferGetContent(buffer), count: xmlOutputBufferGetSize(buffer)))
  }

  // MARK: Which nodes belong to the subtree

  private struct Selection {
    var wholeDocument: Bool
    var included: ClosedRange<Int>?
    var omitted: ClosedRange<Int>?

    func contains(_ element: Int) -> Bool {
      if let omitted, omitted.contains(element) { return false }
      return included?.contains(element) ?? true
    }
  }

  /// Namespaces are passed as nodes, with their element as `parent`.
  private static let isVisible: xmlC14NIsVisibleCallback = { data, node, parent in
    guard let data = unsafe data, var element = unsafe node else { return 0 }
    let selection = unsafe data.assumingMemoryBound(to: Selection.self).pointee
    if unsafe element.pointee.type != XML_ELEMENT_NODE {
      guard let parent = unsafe parent else { return selection.wholeDocument ? 1 : 0 }
      unsafe element = parent
    }
    guard unsafe element.pointee.type == XML_ELEMENT_NODE else {
      return selection.wholeDocument ? 1 : 0
    }
    let number = unsafe Int(bitPattern: element.pointee._private) - 1
    return selection.contains(number) ? 1 : 0
  }

  private func number(_ element: xmlNodePtr) {
    let number = unsafe elements.count
    unsafe elements.append(element)
    lasts.append(number)
    unsafe element.pointee._private = UnsafeMutableRawPointer(bitPattern: number + 1)
    var child = unsafe element.pointee.children
    while let node = unsafe child {
      if unsafe node.pointee.type == XML_ELEMENT_NODE { unsafe self.number(node) }
      unsafe child = node.pointee.next
    }
    lasts[number] = unsafe elements.count - 1
  }

  private static func text(_ characters: UnsafePointer<xmlChar>) -> String {
    unsafe String(
      decoding: UnsafeBufferPointer(start: characters, count: Int(xmlStrlen(characters))),
      as: UTF8.self)
  }

  private static let library: Void = {
    xmlInitParser()
    cxml_silence()
  }()
}
