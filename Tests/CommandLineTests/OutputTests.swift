import Foundation
import TestSupport
import Testing

@Suite("Output of the command")
struct OutputTests {
  static let verbs: [[String]] = [
    ["verify"] + CommandLineTests.swt + ["swt/tv-2.txt"],
    ["verify"] + CommandLineTests.swt + ["swt/tv-5.txt"],
    ["verify", "--lines"] + CommandLineTests.swt + ["swt/tv-2.txt"],
    ["verify", "--lines", "--jobs", "1"] + CommandLineTests.swt + ["swt/tv-5.txt"],
    ["explain"] + CommandLineTests.swt + ["swt/tv-2.txt"],
    ["decode", "swt/tv-1.txt"],
    ["trust", "check", "trust.json"],
    ["xml", "canonicalize", "--method", "c14n", "saml20/response-assertion-signed.xml"],
    [
      "mint", "swt", "--issuer", "i", "--audience", "a", "--key", "hmac-file:keys/acs.key",
    ],
  ]

  @Test("Output whose reader has closed it ends the command quietly with 3", arguments: verbs)
  func closed(arguments: [String]) throws {
    let process = ChildProcess()
    process.executableURL = URL(filePath: ClaimsTool.path)
    process.arguments = arguments
    process.currentDirectoryURL = TestVector.folder
    let (output, talk) = (Pipe(), Pipe())
    process.standardOutput = .pipe(output)
    process.standardError = .pipe(talk)
    process.standardInput = .null
    try output.fileHandleForReading.close()
    try process.run()
    let said = talk.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 3)
    #expect(String(decoding: said, as: UTF8.self) == "")
    // The twin: read to its end, it is no failure of the output.
    #expect(try ClaimsTool.run(arguments).status != 3)
  }

  /// A signed token whose claim has characters that a terminal interprets.
  static let hostile = "x\u{9B}31m\u{202E}\u{7F}\u{2066}\u{200F}\u{61C}\u{85}é\u{2028}"

  @Test("No record has a character that a terminal interprets, and each is read back unchanged")
  func terminal() throws {
    let payload = "{\"iss\":\"i\",\"aud\":\"a\",\"sub\":\"\(Self.hostile)\"}"
    let token = ["{\"alg\":\"HS256\"}", payload, "0123456789abcdef0123456789abcdef"].map {
      Data($0.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
    let outcome = try ClaimsTool.run(
      ["decode"], input: Array(token.joined(separator: ".").utf8))
    #expect(outcome.status == 0)
    #expect(outcome.output.unicodeScalars.allSatisfy { $0.isASCII || $0 == "é" })
    #expect(
      outcome.output.contains("x\\u009b31m\\u202e\\u007f\\u2066\\u200f\\u061c\\u0085é\\u2028"))
    #expect(outcome.records.first?["subject"] as? String == Self.hostile)
  }

  @Test(
    "A document in UTF-16 is read, however its declaration is laid out",
    arguments: [" ", "\t", "\n", String(repeating: " ", count: 400)])
  func utf16(space: String) throws {
    let text = "\u{FEFF}<?xml\(space)version='1.0'\(space)encoding='UTF-16'\(space)?><a>é</a>"
    let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let words = ["xml", "canonicalize", "--method", "c14n", "-"]
    #expect(try ClaimsTool.run(words, input: units).output == "<a>é</a>")
    #expect(try ClaimsTool.run(words, input: Array(units.dropLast(2))).status == 1)
    // In UTF-8 it would be short enough again, and complete without its truncated end.
    let long = units + Array(repeating: [0x00, 0x20], count: 1 << 20).joined()
    let refused = try ClaimsTool.run(words, input: long)
    #expect(refused.status == 1)
    #expect(refused.talk.contains("input.too-large"))
  }

  @Test("The content of a trust file on standard input is kept")
  func trustOnStandardInput() throws {
    let key = TestVector.folder.appending(path: "keys/acs.key").path()
    let trust = LongRunTests.Configuration.sound.replacing("shared.key", with: key)
    let token = try TemporaryFile(LongRunTests.token() + "\n")
    defer { token.remove() }
    for lines in [[], ["--lines"]] {
      let outcome = try ClaimsTool.run(
        ["verify", "--trust", "-", token.url.path()] + lines, input: Array(trust.utf8))
      #expect(outcome.status == 0)
    }
  }

  @Test("A report for a person shows such characters as numbers")
  func report() throws {
    let file = try TemporaryFile()
    defer { file.remove() }
    let folder = file.url.deletingLastPathComponent()
    let odd = folder.appending(path: UUID().uuidString + "\u{202E}\u{9B}txt")
    // Of a file that is not there such a name would not be shown at all.
    try Data().write(to: odd)
    defer { try? FileManager.default.removeItem(at: odd) }
    let outcome = try ClaimsTool.run(["explain", "--key", odd.path(percentEncoded: false)])
    #expect(outcome.status == 2)
    #expect(outcome.talk.contains("\\u{202E}\\u{9B}txt"))
    #expect(outcome.talk.unicodeScalars.allSatisfy { $0.isASCII })
    let explained = try ClaimsTool.run(
      ["explain", "--key", "keys/idp-rsa.crt", "--issuer", "\u{202E}", "--allow-any-audience"]
        + ["saml20/response-assertion-signed.xml"])
    #expect(explained.output.contains("trusted for \\u{202E}"))
  }
}
