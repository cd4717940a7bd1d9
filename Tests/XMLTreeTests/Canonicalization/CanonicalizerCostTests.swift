import Foundation
import Testing
import XMLTree

/// Documents within the limits that cost other implementations minutes.
@Suite("The cost of a canonical form")
struct CanonicalizerCostTests {
  @Test("Many attributes on many elements")
  func attributes() throws {
    // In the order that needs the most sorting.
    let attributes = (0..<250).reversed().map { "a\($0)=''" }.joined(separator: " ")
    try expectQuick("<r>\(String(repeating: "<e \(attributes)/>", count: 350))</r>")
  }

  @Test("As many declarations in scope as there can be, and names that use the outermost")
  func declarationsInScope() throws {
    let start = (0..<4).map { level in
      "<r " + (0..<120).map { "xmlns:n\(level)x\($0)='urn:\($0)'" }.joined(separator: " ")
        + " n0x0:a='' " + (1..<120).map { "n\(level)x\($0):b=''" }.joined(separator: " ") + ">"
    }
    let inside = String(repeating: "<n0x1:e n0x2:a='' n0x3:b=''/>", count: 19_000)
    try expectQuick(start.joined() + inside + String(repeating: "</r>", count: 4))
  }

  @Test("The same prefix declared again and again")
  func redeclarations() throws {
    let elements = (0..<15_000).map { "<p:e xmlns:p='urn:\($0 % 2)'/>" }.joined()
    try expectQuick("<p:r xmlns:p='urn:0'>\(elements)</p:r>")
    let start = (0..<99).map { "<p:e xmlns:p='urn:\($0 % 2)' xmlns='urn:\($0 % 2)'>" }.joined()
    try expectQuick(start + String(repeating: "</p:e>", count: 99))
  }

  @Test("A full prefix list and many elements that declare")
  func prefixList() throws {
    let elements = String(repeating: "<e xmlns:p63='urn:a' xmlns:q='urn:b'/>", count: 6_000)
    try expectQuick("<r>\(elements)</r>")
  }

  @Test("Deep elements, each with its own xml: attributes")
  func inheritedAttributes() throws {
    let start = (0..<90).map { level in
      "<e xml:base='../a\(level)/' "
        + (0..<200).map { $0 < 85 ? "xml:a\(level)x\($0)=''" : "xml:s\($0)=''" }
        .joined(separator: " ") + ">"
    }
    try expectQuick(start.joined() + "<apex/>" + String(repeating: "</e>", count: 90))
  }

  @Test("Text that is all special characters")
  func escapes() throws {
    let text = String(repeating: "&#13;", count: 90_000)
    try expectQuick("<a b='\(text)'>\(text)</a>")
  }

  @Test("Very many comments, instructions and texts")
  func leaves() throws {
    try expectQuick("<a>\(String(repeating: "<!---->x<?p?>", count: 70_000))</a>")
  }

  private func expectQuick(_ text: String) throws {
    let document = try Document(parsing: Array(text.utf8))
    let apex = document.root.descendants(named: ExpandedName("apex")).first ?? document.root
    let prefixes = ["#default"] + (0..<63).map { "p\($0)" }
    for method in [
      CanonicalizationMethod(.inclusive10), CanonicalizationMethod(.inclusive11),
      CanonicalizationMethod(.exclusive, withComments: true, inclusivePrefixes: prefixes),
    ] {
      let start = Self.processorSeconds
      _ = Canonicalizer.octets(apex.subtree, method)
      // Generous: milliseconds in a release build, tenths of a second in a debug build, more under a
      // sanitizer.
      #expect(Self.processorSeconds - start < 5, "\(method.uri)")
    }
  }

  /// What this thread has used, whatever else the machine is doing.
  private static var processorSeconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
