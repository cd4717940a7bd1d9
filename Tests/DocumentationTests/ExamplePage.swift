import Foundation
import TestSupport

/// The Swift blocks of a page such as UseTheClient, each of which is a file of the examples.
enum ExamplePage {
  struct Block {
    let file: String
    let text: String
  }

  static let page = TestVector.packageRoot.appending(
    path: "Sources/Services/FederationClient/FederationClient.docc/UseTheClient.md")
  private static let folder = TestVector.packageRoot.appending(path: "Tests/ClientExamples")

  /// Every example that there is.
  static var files: [String] {
    let paths = FileManager.default.enumerator(atPath: folder.path())?.allObjects as? [String] ?? []
    return paths.filter { $0.contains(".swift") }.map { "Tests/ClientExamples/" + $0 }.sorted()
  }

  /// The text that a reader copies: the file, without the condition that excludes it where its
  /// packages are not fetched, and without the indentation inside that condition.
  static func example(_ file: String) throws -> String {
    let text = try Documentation.text(TestVector.packageRoot.appending(path: file))
    guard text.hasPrefix("#if Client\n") || text.hasPrefix("#if Server\n") else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      .prefix { $0 != "#else" && $0 != "#endif" }
    return lines.map { $0.hasPrefix("  ") ? $0.dropFirst(2) : $0 }.joined(separator: "\n") + "\n"
  }

  /// The blocks of a page; without a file's name above it, the name is empty.
  static func blocks(_ page: String) -> [Block] {
    var blocks: [Block] = []
    var name = ""
    var open: [Substring]?
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if let lines = open {
        guard line == "```" else {
          open = lines + [line]
          continue
        }
        blocks.append(Block(file: name, text: lines.map { $0 + "\n" }.joined()))
        (name, open) = ("", nil)
      } else if line == "```swift" {
        open = []
      } else {
        name = line.wholeMatch(of: /<!-- (\S+) -->/).map { String($0.1) } ?? ""
      }
    }
    return blocks
  }

  /// The page with every named block as its file is now.
  static func renewed(_ page: String) throws -> String {
    var renewed = page
    for block in blocks(page) where !block.file.isEmpty {
      let head = "<!-- \(block.file) -->\n```swift\n"
      renewed = renewed.replacing(
        head + block.text + "```\n", with: head + (try example(block.file)) + "```\n")
    }
    return renewed
  }
}
