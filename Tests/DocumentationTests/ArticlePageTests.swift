import Foundation
import TestCatalogue
import TestSupport
import Testing
import TokenBasics

/// With `UPDATE_DOCUMENTATION=1` in the environment the blocks of the articles are written anew.
@Suite("The articles agree with the code")
struct ArticlePageTests {
  @Test("Each Swift block of an article is an example that is compiled, and each example is in one")
  func blocks() throws {
    var shown: Set<String> = []
    for page in ArticlePage.pages {
      if DocumentationTests.updates {
        try ExamplePage.renewed(Documentation.text(page)).write(
          to: page, atomically: true, encoding: .utf8)
      }
      for block in ExamplePage.blocks(try Documentation.text(page)) {
        #expect(!block.file.isEmpty, "a block of \(page.lastPathComponent) names no file")
        guard !block.file.isEmpty else { continue }
        #expect(try block.text == ExamplePage.example(block.file), "\(block.file)")
        shown.insert(block.file)
      }
    }
    #expect(!ArticlePage.files.isEmpty)
    #expect(Set(ArticlePage.files).subtracting(shown) == [])
  }

  @Test("Each article has an example, and says what goes wrong and by which codes")
  func shape() throws {
    let families = Set(ErrorCatalogue.codes.map(\.family))
    #expect(ArticlePage.articles.count >= 10)
    for article in ArticlePage.articles {
      let text = try Documentation.text(article)
      #expect(!ExamplePage.blocks(text).isEmpty, "\(article.lastPathComponent)")
      let parts = text.split(separator: "\n## What goes wrong\n")
      #expect(parts.count == 2, "\(article.lastPathComponent)")
      let codes = ArticlePage.codes(String(parts.last ?? ""), families: families)
      #expect(!codes.isEmpty, "\(article.lastPathComponent)")
    }
  }

  @Test("Each code that a page names exists")
  func codes() throws {
    let known = ErrorCatalogue.codes.map(\.rawValue)
    let families = Set(ErrorCatalogue.codes.map(\.family))
    for page in ArticlePage.pages {
      for code in ArticlePage.codes(try Documentation.text(page), families: families) {
        let isKnown =
          code.hasSuffix("…")
          ? known.contains { $0.hasPrefix(code.dropLast()) } : known.contains(code)
        #expect(isKnown, "\(code) in \(page.lastPathComponent)")
      }
    }
  }

  @Test("Each library product has a catalogue")
  func products() throws {
    let manifest = try Documentation.text(TestVector.packageRoot.appending(path: "Package.swift"))
    let products = manifest.matches(of: /\blibrary\("(\w+)"/).map { String($0.1) }
    #expect(products.count > 15)
    #expect(Set(products).subtracting(ArticlePage.modules) == [])
  }
}
