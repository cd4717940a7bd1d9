import CLibXML2
import Octets
import TokenBasics

/// How libxml2 hands over an `&` in the name of a namespace and in the value of an attribute: as one octet, or
/// still as a reference, `&#38;`.
///
/// It differs between versions (names of namespaces are one octet from 2.13 on), and the one at run time need not
/// be the one of the build. So a probe is parsed once, before the first document.
struct AmpersandForm: Equatable {
  let isReferenceInNamespaces: Bool
  let isReferenceInValues: Bool

  /// That of the libxml2 of this process; nil where it hands over neither.
  static let current: AmpersandForm? = {
    var probe = Probe()
    guard let context = unsafe xmlNewParserCtxt() else { return nil }
    defer { unsafe xmlFreeParserCtxt(context) }
    unsafe cxml_clear_handlers(context)
    unsafe context.pointee.sax?.pointee.startElementNs = {
      data, _, _, _, namespaceCount, namespaces, attributeCount, _, attributes in
      guard let probe = unsafe data?.assumingMemoryBound(to: Probe.self) else { return }
      if namespaceCount == 1, let uri = unsafe namespaces?[1] {
        unsafe probe.pointee.namespace = Array(
          UnsafeBufferPointer(start: uri, count: Int(xmlStrlen(uri))))
      }
      if attributeCount == 1, let start = unsafe attributes?[3], let end = unsafe attributes?[4] {
        unsafe probe.pointee.value = Array(UnsafeBufferPointer(start: start, count: end - start))
      }
    }
    let document = Array(#"<a xmlns:b="urn:&amp;&#38;b" c="urn:&amp;&#38;b"/>"#.utf8) + [0]
    unsafe withUnsafeMutablePointer(to: &probe) { probe in
      unsafe context.pointee.userData = UnsafeMutableRawPointer(probe)
      unsafe document.withUnsafeBufferPointer { bytes in
        unsafe cxml_reset(context, 0)
        unsafe cxml_parse(context, bytes.baseAddress, bytes.count - 1)
      }
      unsafe context.pointee.userData = nil
    }
    return Self(namespace: probe.namespace, value: probe.value)
  }()

  private struct Probe {
    var namespace: [UInt8] = []
    var value: [UInt8] = []
  }

  /// - Parameters:
  ///   - namespace: What a parser made of the name `urn:&&b`, and of the value.
  ///   - value: As `namespace`.
  init?(namespace: [UInt8], value: [UInt8]) {
    guard let inNamespaces = Self.isReference(namespace), let inValues = Self.isReference(value)
    else { return nil }
    isReferenceInNamespaces = inNamespaces
    isReferenceInValues = inValues
  }

  private static func isReference(_ text: [UInt8]) -> Bool? {
    if text.elementsEqual("urn:&#38;&#38;b".utf8) { return true }
    return text.elementsEqual("urn:&&b".utf8) ? false : nil
  }

  /// The text without the references; nil where a `&` begins none.
  static func withoutReferences(_ text: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = text[...]
    while let place = rest.firstIndex(of: ASCII.ampersand) {
      guard rest[place...].starts(with: reference) else { return nil }
      result += rest[...place]
      rest = rest[place...].dropFirst(reference.count)
    }
    return result + rest
  }

  private static let reference = Array("&#38;".utf8)

  /// The form, without which nothing can be read.
  ///
  /// - Throws: `xml.library`.
  static func required(_ form: AmpersandForm? = current) throws(TokenError) {
    guard form == nil else { return }
    throw TokenError(.xmlLibrary, found: "libxml2 \(XMLLibrary.version)")
  }
}
