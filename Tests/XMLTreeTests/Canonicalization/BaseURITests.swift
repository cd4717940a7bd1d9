import Testing
import XMLTree

@Suite("xml:base under Canonical XML 1.1")
struct BaseURITests {
  @Test(
    "The examples of 2.4 and 3.8",
    arguments: [
      (["abc/", "../"], ""),
      (["../", "../"], "../../"),
      (["..", ".."], "../../"),
      (["..", "..", "x"], "../../x"),
      (["foo/bar", "..", "..", "x"], "../x"),
      (["bar/", "foo"], "bar/foo"),
      (["something/else", "bar/", "foo"], "something/bar/foo"),
      (["http://h.example/something/else", "../bar/", "foo"], "http://h.example/bar/foo"),
    ])
  func joins(values: [String], expected: String) throws {
    #expect(try joined(values) == expected)
  }

  @Test(
    "Only `..` at the end of a base names a folder, and an empty value takes a base as it is",
    arguments: [
      (["file.", "g"], "g"),
      (["a/file..", "g"], "a/g"),
      (["a/.", "g"], "a/g"),
      (["a/..", "g"], "g"),
      (["a/../b?q#f", ""], "a/../b?q"),
      (["a/b", "?y"], "a/b?y"),
      (["x", "//h/../p"], "//h/p"),
    ])
  func namesFolders(values: [String], expected: String) throws {
    #expect(try joined(values) == expected)
  }

  @Test(
    "RFC 3986, 5.4, without the fragments",
    arguments: [
      ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
      ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
      ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
      ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
      ("g;x", "http://a/b/c/g;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
      ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
      ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
      ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
      ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
      (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
      ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
      ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
      ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
      ("g?y/../x", "http://a/b/c/g?y/../x"),
    ])
  func resolves(reference: String, expected: String) throws {
    #expect(try joined(["http://a/b/c/d;p?q", reference]) == expected)
  }

  @Test(
    "Dots are removed as in the table of Appendix A",
    arguments: [
      ("no/.././/pseudo-netpath/seg/file.ext", "pseudo-netpath/seg/file.ext"),
      ("no/..//.///pseudo-netpath/seg/file.ext", "pseudo-netpath/seg/file.ext"),
      ("yes/no//..//.///pseudo-netpath/seg/file.ext", "yes/pseudo-netpath/seg/file.ext"),
      ("no/../yes", "yes"), ("no/../yes/", "yes/"), ("no/../yes/no/..", "yes/"),
      ("../../no/../..", "../../../"), ("no/../..", "../"), ("no/..", ""), ("no/../", ""),
      ("/a/b/c/./../../g", "/a/g"), ("mid/content=5/../6", "mid/6"), ("../../..", "../../../"),
      ("no/../../", "../"), ("..yes/..no/..no/..no/../../../..yes", "..yes/..yes"),
      ("..yes/..no/..no/..no/../../../..yes/", "..yes/..yes/"), ("../..", "../../"),
      ("../../../", "../../../"), (".", ""), ("./", ""), ("./.", ""), ("//no/..", "/"),
      ("../../no/..", "../../"), ("../../no/../", "../../"), ("yes/no/../", "yes/"),
      ("yes/no/no/../..", "yes/"), ("yes/no/no/no/../../..", "yes/"),
      ("yes/no/../yes/no/no/../..", "yes/yes/"), ("yes/no/no/no/../../../yes", "yes/yes"),
      ("yes/no/no/no/../../../yes/", "yes/yes/"), ("/no/../", "/"), ("/yes/no/../", "/yes/"),
      ("/yes/no/no/../..", "/yes/"), ("/yes/no/no/no/../../..", "/yes/"),
      ("../../..no/..", "../../"), ("../../..no/../", "../../"), ("..yes/..no/../", "..yes/"),
      ("..yes/..no/..no/../..", "..yes/"), ("..yes/..no/..no/..no/../../..", "..yes/"),
      ("..yes/..no/../..yes/..no/..no/../..", "..yes/..yes/"), ("/..no/../", "/"),
      ("/..yes/..no/../", "/..yes/"), ("/..yes/..no/..no/../..", "/..yes/"),
      ("/..yes/..no/..no/..no/../../..", "/..yes/"), ("/", "/"), ("/.", "/"), ("/./", "/"),
      ("/./.", "/"), ("/././", "/"), ("/..", "/"), ("/../..", "/"), ("/../../..", "/"),
      ("//..", "/"), ("//..//..", "/"), ("//..//..//..", "/"), ("/./..", "/"),
      ("/./.././..", "/"), ("/./.././.././..", "/"), ("..", "../"), ("../", "../"),
    ])
  func removesDots(path: String, expected: String) throws {
    // Two slashes at the start of a value would name a host; behind one they are a path.
    if path.hasPrefix("/") {
      #expect(try joined(["x", "http://h\(path)"]) == "http://h\(expected)")
    } else {
      #expect(try joined(["x", path]) == expected)
    }
  }

  @Test("A value that nothing is joined to stays as it is")
  func leavesSingleValues() throws {
    for value in ["a/../b", "..", "x#f", "http://h/a//b"] {
      #expect(try joined([value]) == value)
      #expect(try canonical("<e xml:base='\(value)'/>", method) == "<e xml:base=\"\(value)\"></e>")
    }
    #expect(try canonical("<e xml:base=''/>", method) == "<e xml:base=\"\"></e>")
    #expect(try canonical("<r><e xml:base=''/></r>", method, of: name) == "<e xml:base=\"\"></e>")
  }

  @Test("A long chain of values is joined in one pass")
  func joinsLongValues() throws {
    let values = Array(repeating: "b/../c/", count: 90) + [String(repeating: "a/", count: 200_000)]
    #expect(
      try joined(values)
        == String(repeating: "c/", count: 90) + String(repeating: "a/", count: 200_000))
  }

  private let method = CanonicalizationMethod(.inclusive11)
  private let name = ExpandedName("e")

  /// The `xml:base` that an apex gets, the outermost value first, the last one its own.
  private func joined(_ values: [String]) throws -> String {
    let start = values.dropLast().map { "<r xml:base='\($0)'>" }.joined()
    let end = values.dropLast().map { _ in "</r>" }.joined()
    let text = "\(start)<e xml:base='\(values.last ?? "")'/>\(end)"
    let found = try canonical(text, method, of: name)
    if found == "<e></e>" { return "" }
    #expect(found.hasPrefix("<e xml:base=\"") && found.hasSuffix("\"></e>"))
    return String(found.dropFirst(13).dropLast(6))
  }
}
