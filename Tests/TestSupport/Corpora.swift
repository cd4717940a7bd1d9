public import Foundation

/// Test data of other projects, in the folder that `CORPORA` names or beside a checkout of this one. Where a file is
/// absent, its tests pass and print one line.
public enum Corpora {
  public static let folder =
    ProcessInfo.processInfo.environment["CORPORA"].map { URL(filePath: $0) }
    ?? TestVector.packageRoot.deletingLastPathComponent().appending(path: "shared/corpora")

  /// A JSON file of the corpora; nil, after printing that line, where they are absent.
  public static func json(_ path: String) throws -> [String: Any]? {
    let file = folder.appending(path: path)
    guard FileManager.default.fileExists(atPath: file.path()) else {
      print("corpora absent: skipped \(path)")
      return nil
    }
    let data = try Data(contentsOf: file)
    return try JSONSerialization.jsonObject(with: data) as? [String: Any]
  }
}
