public import Foundation

/// A page of docs/issuers.
public struct IssuerPage: Sendable, CustomStringConvertible {
  /// The name of its file without `.md`.
  public let name: String
  public let text: String

  public var description: String { name }

  /// The folder of the pages.
  public static let folder = TestVector.packageRoot.appending(path: "docs/issuers")

  /// Every page but the index.
  public static let all: [IssuerPage] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return files.filter { $0.hasSuffix(".md") && $0 != "README.md" }.sorted().map { file in
      IssuerPage(
        name: String(file.dropLast(3)),
        text: (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? "")
    }
  }()

  /// The fenced blocks of a language, with their last line end.
  public func blocks(_ language: String) -> [String] {
    var blocks: [String] = []
    var open: (language: String, text: String)?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let (name, text) = open, name == language { blocks.append(text) }
        open = open == nil ? (String(line.dropFirst(3)), "") : nil
      } else {
        open?.text += line + "\n"
      }
    }
    return blocks
  }
}
