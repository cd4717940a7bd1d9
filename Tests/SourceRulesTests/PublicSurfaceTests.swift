import Testing

@Suite("The public surface is what users need")
struct PublicSurfaceTests {
  private typealias Source = SourceRulesTests.Source

  // Loops of other modules inline these types, and Swift inlines public declarations alone: with `package`
  // a token costs half as many instructions again. No module passes them on.
  @Test("Helpers for octets are not reachable through another module")
  func octets() {
    let extended = SourceRulesTests.sources.filter { $0.module == "Octets" }.flatMap { source in
      source.lines.filter { $0.contains(/^public extension/) }
    }
    #expect(extended == [])
    let imported = SourceRulesTests.lines(
      matching: #"(public|@_exported).* import Octets\b"#
    ) { _ in true }
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
