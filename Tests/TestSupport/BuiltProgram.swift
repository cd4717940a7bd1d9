public import Foundation

/// A program that was built beside the tests.
public struct BuiltProgram: Sendable {
  /// What a run gave.
  public struct Outcome: Sendable {
    public let status: Int32
    public let output: String
    public let talk: String

    public init(status: Int32, output: String, talk: String) {
      self.status = status
      self.output = output
      self.talk = talk
    }
  }

  public let url: URL
  public var path: String { url.path() }

  public init(_ name: String) {
    let bundle = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let candidates = [bundle, TestVector.packageRoot.appending(path: ".build/debug")]
      .map { $0.appending(path: name) }
    url =
      candidates.first { FileManager.default.isExecutableFile(atPath: $0.path()) }
      ?? URL(filePath: name)
  }

  /// Runs it as a script would, to its end.
  public func run(
    _ arguments: [String], in folder: URL, input: [UInt8] = []
  ) throws -> Outcome {
    let files = try (0..<3).map { _ in try TemporaryFile() }
    defer { files.forEach { $0.remove() } }
    try Data(input).write(to: files[0].url)
    let process = ChildProcess()
    process.executableURL = url
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = .file(try FileHandle(forReadingFrom: files[0].url))
    process.standardOutput = .file(try FileHandle(forWritingTo: files[1].url))
    process.standardError = .file(try FileHandle(forWritingTo: files[2].url))
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: String(decoding: try Data(contentsOf: files[1].url), as: UTF8.self),
      talk: String(decoding: try Data(contentsOf: files[2].url), as: UTF8.self))
  }
}

/// A file for one test, which removes it.
public struct TemporaryFile: Sendable {
  public let url: URL

  public init(_ text: String = "") throws {
    url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(text.utf8).write(to: url)
  }

  public func remove() { try? FileManager.default.removeItem(at: url) }
}
