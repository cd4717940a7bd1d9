package import TokenBasics

/// A configuration file and the folder of it, to which the names in it are relative.
package protocol ConfigurationFolder: Sendable {
  /// The path of the file.
  var path: String { get }
  /// The code of a value that is refused, and of a file that cannot be read.
  static var valueCode: TokenError.Code { get }
}

extension ConfigurationFolder {
  /// The path of a file that the configuration names.
  package func located(_ name: String) -> String { FileFolder(of: path).located(name) }

  /// The content of a file that the configuration names.
  ///
  /// - Parameter limit: The longest file that is read, in bytes.
  /// - Throws: ``valueCode`` with the system's reason.
  package func octets(
    _ name: String, limit: Int = Limits.hardByteLimit
  ) throws(TokenError) -> [UInt8] {
    try Self.contents(located(name), limit: limit)
  }

  /// The content of a file at a path of its own.
  ///
  /// - Throws: ``valueCode`` with the system's reason.
  package static func contents(
    _ path: String, limit: Int = Limits.hardByteLimit
  ) throws(TokenError) -> [UInt8] {
    do throws(FileFailure) {
      return try OpenFile(reading: path).readAll(limit: limit)
    } catch {
      throw error.error(.unreadableFile, path, expected: "a readable file")
    }
  }
}
