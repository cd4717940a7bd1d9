import TestCatalogue
import Federation
import Foundation
import TestSupport
import Testing

/// With `UPDATE_DOCUMENTATION=1` in the environment the generated parts are written anew.
@Suite("The documentation agrees with the code")
struct DocumentationTests {
  static let updates = ProcessInfo.processInfo.environment["UPDATE_DOCUMENTATION"] == "1"

  @Test("docs/errors.md has a section for each code, as the code words it")
  func errors() throws {
    if Self.updates {
      try Documentation.errorPages.write(
        to: Documentation.errors, atomically: true, encoding: .utf8)
    }
    #expect(try Documentation.text(Documentation.errors) == Documentation.errorPages)
  }

  @Test("The secure defaults of docs/secure-defaults.md are those of the code")
  func defaults() throws {
    try Self.checkTable(Documentation.defaultsTable, "defaults", in: Documentation.secureDefaults)
  }

  @Test("The threat model's limits are those of the code")
  func limits() throws {
    try Self.checkTable(LimitsTable.text, "limits", in: Documentation.threatModel)
  }

  @Test("The table of claim names is that of the code")
  func claimNames() throws {
    try Self.checkTable(Documentation.claimNamesTable, "claim names", in: Documentation.claimNames)
  }

  private static func checkTable(_ table: String, _ mark: String, in file: URL) throws {
    let page = try Documentation.text(file)
    let open = try #require(page.range(of: "<!-- \(mark) -->\n"))
    let close = try #require(page.range(of: "<!-- /\(mark) -->"))
    let table = "\n" + table + "\n"
    if updates {
      try page.replacingCharacters(in: open.upperBound..<close.lowerBound, with: table)
        .write(to: file, atomically: true, encoding: .utf8)
      return
    }
    #expect(String(page[open.upperBound..<close.lowerBound]) == table)
  }

  @Test("The example of docs/library.md is the one that compiles here")
  func example() throws {
    let file = TestVector.packageRoot.appending(
      path: "Tests/DocumentationTests/ReadmeExample.swift")
    let example = try Documentation.text(file).trimmingCharacters(in: .newlines)
    #expect(try Documentation.text(Documentation.library).contains(example))
  }

  @Test("README fits on a screen, and has a link to each of its five doors")
  func doors() throws {
    let readme = try Documentation.text(Documentation.readme)
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 70)
    for page in ["pipeline", "gate", "agents", "library", "test-your-sign-in"] {
      #expect(readme.contains("](docs/\(page).md)"), "\(page)")
    }
  }

  @Test("A relative link of README and of a page in docs leads to a file")
  func links() throws {
    for (page, text) in try Documentation.pages {
      for link in text.matches(of: /\]\(([^)#: ]+)(#[^)]*)?\)/) {
        let target = page.deletingLastPathComponent().appending(path: String(link.1))
        #expect(
          FileManager.default.fileExists(atPath: target.standardized.path()),
          "\(page.lastPathComponent): \(link.1)")
      }
    }
  }

  @Test("docs/gate.md is a guide of at most 200 lines beside its recipes")
  func guide() throws {
    let recipes: Set = ["nginx", "caddyfile", "lua", "haproxy", "envoy", "traefik"]
    let page = TestVector.packageRoot.appending(path: "docs/gate.md")
    var language: String?
    var count = 0
    let lines = try Documentation.text(page).split(
      separator: "\n", omittingEmptySubsequences: false)
    for line in lines {
      let isFence = line.hasPrefix("```")
      let opens = isFence && language == nil
      if opens { language = String(line.dropFirst(3)) }
      if !recipes.contains(language ?? "") { count += 1 }
      if isFence, !opens { language = nil }
    }
    #expect(count <= 200)
  }

  @Test("The library example works")
  func exampleRuns() throws {
    let claims = try claims(
      ofResponse: TestVector.bytes("saml20/response-assertion-signed.xml"),
      certificate: TestVector.bytes("keys/idp-rsa.crt"),
      now: Instant(dateTime: "2030-01-01T12:00:00Z"))
    // Two types: the one that this issuer writes, and the URI of the same word.
    #expect(claims["role"] == ["user"] && claims[.role].isEmpty)
  }

  @Test(
    "Each Swift block of the article UseTheClient is an example that is compiled and run, and each is there"
  )
  func clientExamples() throws {
    if Self.updates {
      try ExamplePage.renewed(Documentation.text(ExamplePage.page)).write(
        to: ExamplePage.page, atomically: true, encoding: .utf8)
    }
    let blocks = ExamplePage.blocks(try Documentation.text(ExamplePage.page))
    #expect(Set(ExamplePage.files).subtracting(blocks.map(\.file)) == [])
    for block in blocks where !block.file.isEmpty {
      #expect(try block.text == ExamplePage.example(block.file), "\(block.file)")
    }
  }

  @Test("Each example is self-contained: it uses nothing that another one declares")
  func selfContained() throws {
    let texts = try ExamplePage.files.filter { $0.hasSuffix(".swift") }.map {
      (file: $0, text: try ExamplePage.example($0))
    }
    #expect(texts.count > 10)
    for (file, text) in texts {
      #expect(text.hasPrefix("import "))
      for declared in text.matches(of: /\nfunc (\w+)\(/) {
        for other in texts where other.file != file {
          #expect(!other.text.contains("\n  \(declared.1)("), "\(other.file)")
          #expect(!other.text.contains("await \(declared.1)("), "\(other.file)")
        }
      }
    }
  }

  @Test("A block that differs from its file by one character is detected")
  func driftedExample() throws {
    let page = try Documentation.text(ExamplePage.page)
    let drifted = page.replacing("try session.providerTokens", with: "try  session.providerTokens")
    #expect(drifted != page)
    let strays = try ExamplePage.blocks(drifted).filter {
      try $0.text != ExamplePage.example($0.file)
    }
    #expect(strays.map(\.file) == ["Tests/ClientExamples/Functions/FacebookPagePost.swift"])
    #expect(try ExamplePage.renewed(drifted) == page)
  }

  @Test("Codes are unique, dotted, and of a known family")
  func codes() {
    let codes = ErrorCatalogue.codes
    #expect(Set(codes.map(\.rawValue)).count == codes.count)
    #expect(Set(codes.map(\.summary)).count == codes.count)
    let families: Set = [
      "input", "xml", "signature", "key", "algorithm", "encryption", "issuer", "audience", "time",
      "subject", "response", "replay", "policy", "transport", "client", "session", "feed",
      "registry", "signin", "logout", "gate", "wiring", "listen",
      "issuing", "registration", "rules", "store", "disclosure", "binding", "exchange", "oauth",
      "attack", "possession",
    ]
    for code in codes {
      #expect(families.contains(code.family))
      #expect(code.rawValue.contains(/^[a-z]+\.[a-z0-9-]+$/))
    }
  }
}
