import Foundation
import TestSupport

/// Runs the built command as a script would.
struct ClaimsTool {
  struct Outcome {
    let status: Int32
    let output: String
    let talk: String

    /// The output as one JSON object a line.
    var records: [[String: Any]] {
      output.split(separator: "\n").compactMap {
        try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
    }

    /// The code of the first record's error.
    var code: String? { (records.first?["error"] as? [String: Any])?["code"] as? String }
  }

  /// The executable beside the test bundle.
  static let path: String = {
    let bundle = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let candidates = [bundle, TestVector.packageRoot.appending(path: ".build/debug")]
    return candidates.map { $0.appending(path: "claims").path() }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "claims"
  }()

  static func run(_ arguments: [String], input: [UInt8] = []) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.currentDirectoryURL = TestVector.folder
    let files = try (0..<3).map { _ in try TemporaryFile() }
    defer { files.forEach { $0.remove() } }
    try Data(input).write(to: files[0].url)
    process.standardInput = try FileHandle(forReadingFrom: files[0].url)
    process.standardOutput = try FileHandle(forWritingTo: files[1].url)
    process.standardError = try FileHandle(forWritingTo: files[2].url)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: String(decoding: try Data(contentsOf: files[1].url), as: UTF8.self),
      talk: String(decoding: try Data(contentsOf: files[2].url), as: UTF8.self))
  }
}

/// A file for one test, which removes it.
struct TemporaryFile {
  let url: URL

  init(_ text: String = "") throws {
    url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(text.utf8).write(to: url)
  }

  func remove() { try? FileManager.default.removeItem(at: url) }
}
