#if Client
  import Foundation
  import Synchronization
  import TestSupport

  /// Runs the built `claims-client` as a person or a script would.
  struct ClientTool: Sendable {
    struct Outcome: Sendable {
      let status: Int32
      let output: String
      let talk: String

      /// What was printed, as an object.
      var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any] ?? [:]
      }

      /// The code of the error that was printed.
      var code: String? { (object["error"] as? [String: Any])?["code"] as? String }
    }

    let folder: URL
    var environment: [String: String] = [:]

    /// Which of the built commands.
    var program = "claims-client"

    static func path(_ program: String) -> String {
      let bundle = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      let candidates = [bundle, TestVector.packageRoot.appending(path: ".build/debug")]
      return candidates.map { $0.appending(path: program).path() }
        .first { FileManager.default.isExecutableFile(atPath: $0) } ?? program
    }

    /// A file with that text in the folder; its path.
    func file(_ name: String, _ text: String) throws -> String {
      let url = folder.appending(path: name)
      try Data(text.utf8).write(to: url)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: url.path())
      return url.path()
    }

    /// Runs to the end.
    /// - Parameters:
    ///   - person: The writer of its standard input; without one it is empty.
    ///   - hear: Called with the first address on a line of standard error.
    func run(
      _ arguments: [String], person: Person? = nil, hear: (@Sendable (String) -> Void)? = nil
    ) async throws -> Outcome {
      let process = ChildProcess()
      process.executableURL = URL(filePath: Self.path(program))
      process.arguments = arguments
      process.currentDirectoryURL = folder
      // No run uses the real home folder.
      let home = ["HOME": folder.path(), "XDG_DATA_HOME": ""]
      process.environment = ProcessInfo.processInfo.environment.merging(home) { $1 }
        .merging(environment) { $1 }
      let (output, talk) = (Pipe(), Pipe())
      process.standardInput = person.map { .file($0.input) } ?? .null
      process.standardOutput = .pipe(output)
      process.standardError = .pipe(talk)
      let ended = AsyncStream<Void> { stream in
        process.terminationHandler = { stream.finish() }
      }
      try process.run()
      async let said = Self.reading { Self.listen(talk, person, hear) }
      async let printed = Self.reading {
        String(
          decoding: (try? output.fileHandleForReading.readToEnd()) ?? Data(), as: UTF8.self)
      }
      for await _ in ended {}
      let outcome = Outcome(
        status: process.terminationStatus, output: await printed, talk: await said)
      // With --reveal the output contains the token.
      let shown = (arguments.contains("--reveal") ? "" : outcome.output) + outcome.talk
      for line in shown.split(separator: "\n") { Secrecy.see(line: String(line)) }
      return outcome
    }

    /// On a thread of its own, since a read blocks.
    private static func reading(_ body: @escaping @Sendable () -> String) async -> String {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
      }
    }

    private static func listen(
      _ talk: Pipe, _ person: Person?, _ hear: (@Sendable (String) -> Void)?
    ) -> String {
      var text = Data()
      var hasHeard = false
      while true {
        let part = talk.fileHandleForReading.availableData
        if part.isEmpty { return String(decoding: text, as: UTF8.self) }
        text += part
        let said = String(decoding: text, as: UTF8.self)
        let lines = said.split(separator: "\n", omittingEmptySubsequences: false)
        let line = lines.dropLast().first { line in
          ["http://", "https://"].contains { line.hasPrefix($0) }
        }
        if !hasHeard, let line {
          hasHeard = true
          hear?(String(line))
        }
        person?.answer(said)
      }
    }
  }
#endif
