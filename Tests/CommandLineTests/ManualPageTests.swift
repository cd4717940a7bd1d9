import Foundation
import TestSupport
import Testing

/// With `UPDATE_DOCUMENTATION=1` in the environment the page is written anew.
@Suite("The manual page")
struct ManualPageTests {
  static let updates = ProcessInfo.processInfo.environment["UPDATE_DOCUMENTATION"] == "1"

  @Test("docs/claims.1 is generated from the command's help")
  func current() throws {
    let text = try ManualPage.text()
    if Self.updates { try text.write(to: ManualPage.file, atomically: true, encoding: .utf8) }
    #expect(try String(contentsOf: ManualPage.file, encoding: .utf8) == text)
  }

  @Test("Every verb and flag of --help is in the page, in the verb's section")
  func complete() throws {
    let page = try String(contentsOf: ManualPage.file, encoding: .utf8)
      .replacing("\\-", with: "-").replacing("\\fB", with: "").replacing("\\fR", with: "")
    var queue: [[String]] = [[]]
    var seen = 0
    while let path = queue.popLast() {
      let help = try ClaimsTool.run(path + ["--help"]).output
      let verbs = Self.entries(help, below: "SUBCOMMANDS:")
        .compactMap { $0.firstMatch(of: /^  ([a-z0-9]+)\b/).map { String($0.1) } }
      queue += verbs.map { path + [$0] }
      guard !path.isEmpty, verbs.isEmpty else { continue }
      let title = ".SS claims \(path.joined(separator: " "))\n"
      let start = try #require(page.range(of: title), "no \(title)").upperBound
      let section = page[start...]
      let end = section.range(of: "\n.S")?.lowerBound ?? section.endIndex
      let flags = Self.entries(help, below: "OPTIONS:")
        .flatMap { $0.matches(of: /^  (?:-h, )?(--[a-z0-9-]+)/).map { String($0.1) } }
      #expect(flags.contains("--help"))
      for flag in flags {
        #expect(
          section[..<end].contains(flag + " ") || section[..<end].contains(flag + "\n"),
          "\(path) \(flag)")
        seen += 1
      }
    }
    #expect(seen > 100)
  }

  @Test("No text of the help has a run of blanks where its lines were wrapped")
  func wrapped() throws {
    let dump = try ClaimsTool.run(["--experimental-dump-help"]).output
    let texts = dump.split(separator: "\n").filter {
      $0.contains("\"abstract\"") || $0.contains("\"discussion\"")
    }
    #expect(texts.count > 100)
    for text in texts {
      // Examples are indented.
      let lines = text.split(separator: "\\n").map { $0.drop { $0 == " " } }
      for line in lines {
        #expect(line.firstMatch(of: /[a-z.,;:]  +[a-z]/) == nil, "\(line)")
      }
    }
  }

  /// The lines of a section of a help text.
  private static func entries(_ help: String, below title: String) -> [String] {
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let start = lines.firstIndex(of: title) else { return [] }
    return Array(lines[(start + 1)...].prefix { !$0.isEmpty })
  }

  @Test("groff takes the page without a warning, where there is groff")
  func typeset() throws {
    let groff = URL(filePath: "/usr/bin/groff")
    guard FileManager.default.isExecutableFile(atPath: groff.path()) else { return }
    let process = ChildProcess()
    process.executableURL = groff
    process.arguments = ["-man", "-ww", "-z", "-Tutf8", ManualPage.file.path()]
    let talk = Pipe()
    process.standardError = .pipe(talk)
    try process.run()
    let said = talk.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(String(decoding: said, as: UTF8.self).isEmpty)
  }
}
