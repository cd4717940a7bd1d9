import LocalFiles

/// A whole file of input, or standard input.
package enum InputFile {
  /// The content of a file, `-` for standard input. Of one that is longer than the limit somewhat more than it, for
  /// the caller to refuse.
  ///
  /// - Throws: exit status 3.
  package static func read(_ path: String, upTo limit: Int) throws(CommandFailure) -> [UInt8] {
    do throws(FileFailure) {
      let file = try path == "-" ? StandardInput.file : OpenFile(reading: path)
      ReadFiles.note(file)
      return try file.readAll(limit: limit)
    } catch {
      throw CommandFailure(.inputOutput, error.sentence(reading: path))
    }
  }

  /// The content of a file that has to be within a limit.
  ///
  /// - Throws: exit status 3.
  package static func read(
    _ path: String, limit: Int = 16 << 20
  ) throws(CommandFailure) -> [UInt8] {
    let octets = try read(path, upTo: limit)
    guard octets.count <= limit else {
      throw CommandFailure(
        .inputOutput, "cannot read \(ShownPath.of(path)): more than \(limit) bytes")
    }
    return octets
  }
}
