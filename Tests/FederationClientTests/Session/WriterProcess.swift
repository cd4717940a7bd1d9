import Foundation
import TestSupport

/// Another process that writes to a credential file.
struct WriterProcess {
  private let process = ChildProcess()
  private let output = Pipe()

  static let path: String = {
    let bundle = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let candidates = [bundle, TestVector.packageRoot.appending(path: ".build/debug")]
    return candidates.map { $0.appending(path: "CredentialWriter").path() }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "CredentialWriter"
  }()

  init(_ store: URL, key: URL, name: String, count: Int) throws {
    process.executableURL = URL(filePath: Self.path)
    process.arguments = [store.path(), key.path(), name, "\(count)"]
    process.standardOutput = .pipe(output)
    try process.run()
  }

  /// Waits for the first number, so that the process has started to write.
  func firstNumber() -> Int {
    var text = ""
    while !text.hasSuffix("\n") {
      let data = (try? output.fileHandleForReading.read(upToCount: 1)) ?? nil
      guard let data, !data.isEmpty else { break }
      text += String(decoding: data, as: UTF8.self)
    }
    return Int(text.dropLast()) ?? 0
  }

  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// The last number that was written, at the end of the process.
  func lastNumber() -> Int? {
    let data = (try? output.fileHandleForReading.readToEnd()) ?? nil
    process.waitUntilExit()
    let lines = String(decoding: data ?? Data(), as: UTF8.self).split(separator: "\n")
    return lines.last.flatMap { Int($0) }
  }
}
