import Testing

@Suite("The public surface is what users need")
struct PublicSurfaceTests {
  private typealias Source = SourceRulesTests.Source

  @Test("Helpers for octets are open to the package alone")
  func octets() {
    let declared = SourceRulesTests.lines(matching: #"\bpublic\b"#) { $0.module == "Octets" }
    #expect(declared == [])
    let imported = SourceRulesTests.lines(matching: #"public import (Octets|StrictJSON)\b"#) { _ in
      true
    }
    #expect(imported == [])
  }

  @Test("Every public declaration has a docstring")
  func docstrings() {
    let undocumented = SourceRulesTests.sources.flatMap { source in
      source.lines.indices.filter { Self.isPublic(source.lines[$0]) }
        .filter { !Self.isDocumented($0, source.lines) }
        .map { "\(source.path):\($0 + 1)" }
    }
    #expect(undocumented == [])
  }

  private static func isPublic(_ line: String) -> Bool {
    // An extension is documented where its members are.
    line.contains(/^ *(@\w+(\([^)]*\))? +)*public +(?!import|extension)/)
  }

  private static func isDocumented(_ index: Int, _ lines: [String]) -> Bool {
    let before = lines[..<index].last { !$0.contains(/^ *(@|#if|package import)/) }
    return before?.contains(/^ *(\/\/\/|\*\/)/) ?? false
  }
}
