import Foundation
import TestSupport
import Testing

@Suite("Tokens line by line")
struct LinesTests {
  static let arguments = ["verify", "--lines"] + CommandLineTests.swt

  @Test(
    "Results keep the order of the lines, whatever the number of workers", arguments: [1, 2, 5])
  func order(jobs: Int) throws {
    let token = String(decoding: TestVector.bytes("swt/tv-2.txt"), as: UTF8.self)
      .trimmingCharacters(in: .newlines)
    let lines = (0..<3000).map { number in
      let changed = number % 10 == 3 ? "x" + token : token
      return "{\"id\":\(number),\"token\":\"\(changed)\"}"
    }
    let outcome = try ClaimsTool.run(
      Self.arguments + ["--jobs", "\(jobs)"], input: Array(lines.joined(separator: "\n").utf8))
    #expect(outcome.status == 1)
    let records = outcome.records
    #expect(records.compactMap { $0["id"] as? Int } == Array(0..<3000))
    #expect(records.filter { $0["valid"] as? Bool == true }.count == 2700)
  }

  @Test("Neither a blank line nor a broken one stops the rest")
  func neverStops() throws {
    let token = TestVector.bytes("swt/tv-2.txt")
    let lines: [[UInt8]] = [
      token, [], Array("{\"id\":\"a\",\"x\":1}".utf8), Array("{\"token\"".utf8), [0x00, 0xFF],
      [0xFF, 0xFE], token + [0x0D],
    ]
    let input = Array(lines.joined(separator: [0x0A]))
    let outcome = try ClaimsTool.run(Self.arguments, input: input)
    let codes = outcome.records.map { ($0["error"] as? [String: Any])?["code"] as? String }
    try #require(codes.count == 7)
    #expect(codes[0] == nil)
    #expect(codes[1] == "input.blank-line")
    #expect(codes[2] == "input.line-object")
    #expect(outcome.records[2]["id"] as? String == "a")
    #expect(codes[3] == "input.json-syntax")
    #expect(codes[6] == nil)
    #expect(outcome.status == 1)
  }

  @Test("S3: With --exit-on-reject never a rejected line is no failure, and a missing key still is")
  func exitOnReject() throws {
    let token = TestVector.bytes("swt/tv-2.txt")
    let input = Array([token, Array("x".utf8)].joined(separator: [0x0A]))
    for (word, status) in [("never", 0), ("always", 1)] as [(String, Int32)] {
      let outcome = try ClaimsTool.run(
        Self.arguments + ["--exit-on-reject", word], input: input)
      #expect(outcome.status == status && outcome.records.count == 2)
    }
    let failed = try ClaimsTool.run(
      ["verify", "--lines", "--key", "hmac-file:nonexistent", "--exit-on-reject", "never"],
      input: input)
    #expect(failed.status > 1 && failed.records.isEmpty)
  }

  @Test("S7: Octets in base64 get the verdict of the bare line, with their id")
  func octets() throws {
    let token = TestVector.bytes("swt/tv-2.txt")
    let encoded = Data(token).base64EncodedString()
    let lines = [
      "{\"id\":1,\"token64\":\"\(encoded)\"}", "{\"id\":2,\"token64\":\"/wD+\"}",
      "{\"id\":3,\"token64\":\"*\"}", "{\"id\":4,\"token64\":\"YQ==\",\"token\":\"a\"}",
      "{\"id\":5,\"token64\":7}", "{\"id\":6,\"token64\":\"\"}",
    ]
    let outcome = try ClaimsTool.run(
      Self.arguments, input: Array(lines.joined(separator: "\n").utf8))
    #expect(outcome.records.compactMap { $0["id"] as? Int } == [1, 2, 3, 4, 5, 6])
    #expect(outcome.records[0]["valid"] as? Bool == true)
    let codes = outcome.records.map { ($0["error"] as? [String: Any])?["code"] as? String }
    #expect(
      codes.dropFirst(2) == [
        "input.base64", "input.line-object", "input.line-object", "input.blank-line",
      ])
  }

  @Test("S8: Each record names its line, also of a line without an id", arguments: [1, 3])
  func lineNumbers(jobs: Int) throws {
    let token = String(decoding: TestVector.bytes("swt/tv-2.txt"), as: UTF8.self)
      .trimmingCharacters(in: .newlines)
    var lines = (1...4000).map { _ in token }
    lines[2] = ""
    lines[3] = "{\"id\""
    lines[3000] = String(repeating: "a", count: 12 << 20)
    let input = Array(lines.joined(separator: "\n").utf8)
    let arguments = Self.arguments + ["--jobs", "\(jobs)", "--line-numbers"]
    let outcome = try ClaimsTool.run(arguments, input: input)
    #expect(outcome.records.compactMap { $0["line"] as? Int } == Array(1...4000))
    #expect(outcome.records.allSatisfy { $0["file"] == nil })
    let refused = outcome.records.filter { $0["valid"] as? Bool == false }
    #expect(refused.compactMap { $0["line"] as? Int } == [3, 4, 3001])
    let error = refused.last?["error"] as? [String: Any]
    #expect(error?["code"] as? String == "input.too-large")
    // S13: What was read of it is not its length.
    #expect(error?["found"] as? String == "more than 10485760 bytes")

    let several = try ClaimsTool.run(
      arguments + ["swt/tv-2.txt", "-", "swt/tv-2.txt"], input: Array("x\ny\n".utf8))
    #expect(several.records.compactMap { $0["line"] as? Int } == [1, 1, 2, 1])
    #expect(
      several.records.compactMap { $0["file"] as? String }
        == ["swt/tv-2.txt", "-", "-", "swt/tv-2.txt"])
    let without = try ClaimsTool.run(Self.arguments, input: Array("x\n".utf8))
    #expect(without.records.first?["line"] == nil)
  }

  @Test("S9: At SIGTERM whole lines have their records, and half a line has none")
  func termination() throws {
    let token = String(decoding: TestVector.bytes("swt/tv-2.txt"), as: UTF8.self)
      .trimmingCharacters(in: .newlines)
    for jobs in ["1", "3"] {
      let process = try LinesProcess(CommandLineTests.swt + ["--jobs", jobs])
      #expect(try process.ask(token)["valid"] as? Bool == true)
      let (status, rest) = try process.terminate(amid: String(token.prefix(20)))
      #expect(status == 143 && rest.isEmpty)
    }
  }

  @Test(
    "S10: White space or a byte order mark before an object is said",
    arguments: [
      (" ", "white space before {"), ("\t ", "white space before {"),
      ("\u{FEFF}", "a byte order mark before {"),
    ])
  func nearMiss(before: String, found: String) throws {
    let object = "{\"id\":1,\"token\":\"a\"}"
    let outcome = try ClaimsTool.run(
      Self.arguments, input: Array("\(before)\(object)\n\(object)\n".utf8))
    #expect(outcome.code == "input.line-object")
    #expect((outcome.records.first?["error"] as? [String: Any])?["found"] as? String == found)
    #expect(outcome.records.last?["id"] as? Int == 1)
  }

  @Test("S11: A non-blocking input is waited for, and so is a non-blocking output")
  func nonBlocking() throws {
    let token = TestVector.bytes("swt/tv-2.txt")
    let input = try TemporaryFile(
      String(repeating: String(decoding: token + [0x0A], as: UTF8.self), count: 3000))
    defer { input.remove() }
    let script = """
      import os, subprocess, sys, time
      pipes = os.pipe(), os.pipe()
      for pipe in pipes:
          os.set_blocking(pipe[0], False); os.set_blocking(pipe[1], True)
      os.set_blocking(pipes[1][1], False)
      child = subprocess.Popen(sys.argv[2:], stdin=pipes[0][0], stdout=pipes[1][1])
      os.close(pipes[0][0]); os.close(pipes[1][1]); os.set_blocking(pipes[1][0], True)
      def feed():
          with os.fdopen(pipes[0][1], 'wb') as out: out.write(open(sys.argv[1], 'rb').read())
      import threading; threading.Thread(target=feed).start()
      count = sum(1 for line in os.fdopen(pipes[1][0], 'rb'))
      print(count, child.wait())
      """
    #expect(
      try Self.python(
        script, [input.url.path, ClaimsTool.path, "verify", "--lines"] + CommandLineTests.swt)
        == "3000 0\n")
  }

  @Test(
    "S12: A standard stream that the parent closed is an error, and no other file gets its number")
  func closedStreams() throws {
    let script = """
      import os, subprocess, sys
      for closed in (0, 1, 2):
          child = subprocess.run(sys.argv[1:], preexec_fn=lambda: os.close(closed),
              input=None if closed == 0 else b'x\\n', capture_output=True)
          print(closed, child.returncode, child.stdout.count(b'\\n'))
      """
    #expect(
      try Self.python(script, [ClaimsTool.path, "verify", "--lines"] + CommandLineTests.swt)
        == "0 3 0\n1 3 0\n2 1 1\n")
  }

  @Test("--summary counts by verdict and code on standard error", arguments: [[], ["--lines"]])
  func summary(flags: [String]) throws {
    let token = TestVector.bytes("swt/tv-2.txt")
    let changed = [UInt8](repeating: 0x78, count: 1) + token
    let arguments = ["verify", "--summary"] + CommandLineTests.swt + flags
    let outcome: ClaimsTool.Outcome
    if flags.isEmpty {
      let file = try TemporaryFile(String(decoding: changed, as: UTF8.self))
      defer { file.remove() }
      outcome = try ClaimsTool.run(arguments + ["swt/tv-2.txt", file.url.path, file.url.path])
    } else {
      outcome = try ClaimsTool.run(
        arguments, input: Array([token, changed, changed].joined(separator: [0x0A])))
    }
    #expect(outcome.status == 1 && outcome.records.count == 3)
    let code = try #require(
      (outcome.records.last?["error"] as? [String: Any])?["code"] as? String)
    #expect(
      outcome.talk
        == "{\"tokens\":3,\"accepted\":1,\"rejected\":2,\"codes\":{\"\(code)\":2}}\n")
  }

  @Test("A terminal shows how far a long run is, and a pipe gets no such line")
  func progress() throws {
    let token = TestVector.bytes("swt/tv-2.txt")
    let input = try TemporaryFile(
      String(repeating: String(decoding: token + [0x0A], as: UTF8.self), count: 2000))
    defer { input.remove() }
    // The input is held back until the bar is there, so that no machine is too fast.
    let script = """
      import os, pty, subprocess, sys, time
      main, terminal = pty.openpty()
      lines = open(sys.argv[1], 'rb').read()
      child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=terminal)
      os.close(terminal)
      os.set_blocking(main, False)
      shown = b''
      while b'tokens' not in shown:
          child.stdin.write(lines[:lines.index(b'\\n') + 1]); child.stdin.flush(); child.stdout.readline()
          try: shown += os.read(main, 4096)
          except BlockingIOError: pass
      child.stdin.close(); child.wait()
      os.set_blocking(main, True)
      try: shown += os.read(main, 4096)
      except OSError: pass
      print(b'/s' in shown, shown.endswith(b'\\r\\x1b[K'))
      piped = subprocess.run(sys.argv[2:], input=lines, capture_output=True)
      print(piped.stdout.count(b'\\n'), piped.stderr)
      """
    #expect(
      try Self.python(
        script, [input.url.path, ClaimsTool.path, "verify", "--lines"] + CommandLineTests.swt)
        == "True True\n2000 b''\n")
  }

  /// What a script prints.
  private static func python(_ script: String, _ arguments: [String]) throws -> String {
    let process = ChildProcess()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script] + arguments
    process.currentDirectoryURL = TestVector.folder
    process.standardOutput = .pipe(output)
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  @Test("A line of many megabytes is refused without being stored")
  func longLine() throws {
    let token = TestVector.bytes("swt/tv-2.txt")
    let input = [UInt8](repeating: 0x61, count: 24 << 20) + [0x0A] + token
    let outcome = try ClaimsTool.run(Self.arguments, input: input)
    #expect(outcome.records.count == 2)
    #expect(outcome.code == "input.too-large")
    #expect(outcome.records.last?["valid"] as? Bool == true)
  }

  @Test("The token of an object gets the verdict of the bare line", arguments: ["swt", "jwt"])
  func wrappedToken(format: String) throws {
    let swt = String(decoding: TestVector.bytes("swt/tv-2.txt"), as: UTF8.self)
      .trimmingCharacters(in: .newlines)
    let token = format == "swt" ? swt : try LongRunTests.token()
    let arguments =
      format == "swt"
      ? Self.arguments
      : ["verify", "--lines", "--key", "hmac-file:keys/acs.key"] + LongRunTests.flags
    let ends = ["", "\r", "\n", "\r\n", "\n\n", "\r\r\n", " ", "\t"]
    let lines =
      ends.map { "{\"token\":\"\(token)\($0)\"}" }
      + ["", " ", "\t ", "\n", "\r\n"].map {
        "{\"id\":7,\"token\":\"\($0)\"}"
      }
    let input = lines.map {
      $0.replacing("\r\n", with: "\\r\\n").replacing("\n", with: "\\n").replacing("\r", with: "\\r")
        .replacing("\t", with: "\\t")
    }
    let outcome = try ClaimsTool.run(arguments, input: Array(input.joined(separator: "\n").utf8))
    try #require(outcome.records.count == lines.count)
    #expect(outcome.records.prefix(4).map { $0["valid"] as? Bool } == [true, true, true, true])
    #expect(outcome.records[4..<8].allSatisfy { $0["valid"] as? Bool == false })
    for record in outcome.records[8...] {
      #expect((record["error"] as? [String: Any])?["code"] as? String == "input.blank-line")
      #expect(record["id"] as? Int == 7)
    }
  }

  @Test(
    "A number of workers beyond the limit is wrong usage", arguments: ["0", "257", "99999999"])
  func manyJobs(jobs: String) throws {
    let outcome = try ClaimsTool.run(Self.arguments + ["--jobs", jobs])
    #expect(outcome.status == 2)
    #expect(outcome.talk.contains("--jobs must be 1 to 256"))
  }

  @Test("The greatest number of workers works")
  func mostJobs() throws {
    let outcome = try ClaimsTool.run(
      Self.arguments + ["--jobs", "256"], input: TestVector.bytes("swt/tv-2.txt"))
    #expect(outcome.status == 0)
    #expect(outcome.records.count == 1)
  }

  @Test("An identifier is passed through unchanged")
  func identifiers() throws {
    let token = String(decoding: TestVector.bytes("swt/tv-2.txt"), as: UTF8.self)
      .trimmingCharacters(in: .newlines)
    let line = "{\"id\":{\"a\":[1,2.50,\"\\u00e9\"]},\"token\":\"\(token)\"}"
    let outcome = try ClaimsTool.run(Self.arguments, input: Array(line.utf8))
    #expect(outcome.output.hasPrefix("{\"id\":{\"a\":[1,2.50,\"\\u00e9\"]},\"valid\":true"))
  }
}
