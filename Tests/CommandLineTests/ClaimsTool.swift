import Foundation
import TestSupport

/// Runs the built command as a script would.
enum ClaimsTool {
  typealias Outcome = BuiltProgram.Outcome

  static let path = BuiltProgram("claims").path

  static func run(_ arguments: [String], input: [UInt8] = []) throws -> Outcome {
    try BuiltProgram("claims").run(arguments, in: TestVector.folder, input: input)
  }
}

extension BuiltProgram.Outcome {
  /// The output as one JSON object a line.
  var records: [[String: Any]] {
    output.split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  /// The code of the first record's error.
  var code: String? { (records.first?["error"] as? [String: Any])?["code"] as? String }
}
