import Foundation
import TestSupport

/// The articles of the DocC catalogues. Their Swift blocks are files of the examples, as those of the article UseTheClient.
enum ArticlePage {
  /// Every page of every catalogue.
  static let pages: [URL] = {
    let sources = TestVector.packageRoot.appending(path: "Sources")
    let paths = FileManager.default.enumerator(atPath: sources.path())?.allObjects as? [String]
    return (paths ?? []).filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted()
      .map { sources.appending(path: $0) }
  }()

  /// The pages that are no landing page of a module.
  static var articles: [URL] { pages.filter { !isLanding($0) } }

  /// The modules that have a catalogue.
  static var modules: Set<String> { Set(pages.filter(isLanding).map(name)) }

  /// The files of Tests/ArticleExamples.
  static var files: [String] {
    let folder = TestVector.packageRoot.appending(path: "Tests/ArticleExamples")
    let paths = FileManager.default.enumerator(atPath: folder.path())?.allObjects as? [String] ?? []
    return paths.filter { $0.hasSuffix(".swift") }.map { "Tests/ArticleExamples/" + $0 }.sorted()
  }

  /// The codes in a page, such as `audience.mismatch`, and the beginnings of codes, such as `time.…`.
  static func codes(_ page: String, families: Set<String>) -> [String] {
    page.matches(of: /`([a-z]+)\.([a-z0-9\-…]+)`/)
      .filter { families.contains(String($0.1)) }.map { "\($0.1).\($0.2)" }
  }

  private static func name(_ page: URL) -> String {
    page.deletingPathExtension().lastPathComponent
  }

  private static func isLanding(_ page: URL) -> Bool {
    page.deletingLastPathComponent().lastPathComponent == name(page) + ".docc"
  }
}
