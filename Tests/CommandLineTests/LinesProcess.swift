import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A `claims verify --lines` that keeps running and gets one line at a time.
final class LinesProcess {
  private let process = ChildProcess()
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
    process.standardInput = .pipe(input)
    process.standardOutput = .pipe(output)
    process.standardError = .file(try FileHandle(forWritingTo: talkFile.url))
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
    talkFile.remove()
  }

  /// Sends one line and returns its record.
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

  /// Sends the same line until it gets that code; returns whether it did.
  func comes(_ expected: String?, for line: String) throws -> Bool {
    try Self.comes { try code(line) == expected }
  }

  /// Waits until `times` lines on standard error contain `text`; returns whether they did.
  func says(_ text: String, times: Int = 1) throws -> Bool {
    try Self.comes { try talk().split(separator: "\n").count { $0.contains(text) } >= times }
  }

  func talk() throws -> String {
    String(decoding: try Data(contentsOf: talkFile.url), as: UTF8.self)
  }

  func hangUp() { kill(process.processIdentifier, SIGHUP) }

  /// Sends octets that no line end follows, then SIGTERM; returns the exit code and what else was written.
  func terminate(amid octets: String) throws -> (status: Int32, rest: Data) {
    try input.fileHandleForWriting.write(contentsOf: Data(octets.utf8))
    kill(process.processIdentifier, SIGTERM)
    let rest = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, rest)
  }

  /// Ends the input; returns the exit code.
  func end() throws -> Int32 {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Polls until `holds` returns true, long enough for a busy machine.
  private static func comes(_ holds: () throws -> Bool) throws -> Bool {
    let deadline = Date(timeIntervalSinceNow: 30)
    while Date() < deadline {
      if try holds() { return true }
      usleep(20_000)
    }
    return false
  }
}
