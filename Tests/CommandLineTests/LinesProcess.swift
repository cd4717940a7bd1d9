import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A `claims verify --lines` that goes on running and is asked one line at a time.
final class LinesProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let talkFile: TemporaryFile
  private var unread = Data()

  struct NoAnswer: Error {}

  init(_ arguments: [String]) throws {
    talkFile = try TemporaryFile()
    process.executableURL = URL(filePath: ClaimsTool.path)
    process.arguments = ["verify", "--lines"] + arguments
    process.currentDirectoryURL = TestVector.folder
    process.standardInput = input
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: talkFile.url)
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
    talkFile.remove()
  }

  /// The record of one line.
  func ask(_ line: String) throws -> [String: Any] {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    while true {
      if let end = unread.firstIndex(of: 0x0A) {
        let record = unread[..<end]
        unread = Data(unread[unread.index(after: end)...])
        return try JSONSerialization.jsonObject(with: record) as? [String: Any] ?? [:]
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw NoAnswer() }
      unread.append(more)
    }
  }

  /// The code of the record of one line, nil for an accepted token.
  func code(_ line: String) throws -> String? {
    (try ask(line)["error"] as? [String: Any])?["code"] as? String
  }

  /// Asks the same line until it gets that code; answers whether it ever did.
  func comes(_ expected: String?, for line: String) throws -> Bool {
    try Self.comes { try code(line) == expected }
  }

  /// Waits until so many lines on standard error hold `text`; answers whether they ever did.
  func says(_ text: String, times: Int = 1) throws -> Bool {
    try Self.comes { try talk().split(separator: "\n").count { $0.contains(text) } >= times }
  }

  func talk() throws -> String {
    String(decoding: try Data(contentsOf: talkFile.url), as: UTF8.self)
  }

  func hangUp() { kill(process.processIdentifier, SIGHUP) }

  /// Ends the input; answers the exit code.
  func end() throws -> Int32 {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Asks until it holds, for so long that a busy machine gets there.
  private static func comes(_ holds: () throws -> Bool) throws -> Bool {
    let deadline = Date(timeIntervalSinceNow: 30)
    while Date() < deadline {
      if try holds() { return true }
      usleep(20_000)
    }
    return false
  }
}
