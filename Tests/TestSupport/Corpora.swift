public import Foundation

/// Test data of other projects, beside a checkout of this one. Where it is absent, its tests pass and
/// print one line.
public enum Corpora {
  public static let folder = TestVector.packageRoot.deletingLastPathComponent()
    .appending(path: "shared/corpora")

  /// A JSON file of the corpora; nil, after printing that line, where they are absent.
  public static func json(_ path: String) throws -> [String: Any]? {
    guard FileManager.default.fileExists(atPath: folder.path()) else {
      print("corpora absent: skipped \(path)")
      return nil
    }
    let data = try Data(contentsOf: folder.appending(path: path))
    return try JSONSerialization.jsonObject(with: data) as? [String: Any]
  }
}
