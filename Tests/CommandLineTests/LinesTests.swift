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
