import LocalFiles

/// Files that `init` writes into a folder. Existing files are never replaced.
package struct NewFiles {
  private let folder: String
  private var files: [(name: String, content: [UInt8])] = []

  /// - Parameter folder: The folder, which is made if it is missing; its parent has to exist.
  package init(in folder: String) { self.folder = folder }

  /// Adds a file. The names keep their order, in which they are listed afterwards.
  package mutating func add(_ name: String, _ text: String) { add(name, Array(text.utf8)) }

  /// Adds a file.
  package mutating func add(_ name: String, _ content: [UInt8]) { files.append((name, content)) }

  /// The names of the files.
  package var names: [String] { files.map(\.name) }

  /// The path of a file in the folder.
  package func path(of name: String) -> String { folder + "/" + name }

  /// The paths of the files, one on each line, and of the page with the next steps.
  ///
  /// - Parameter others: Names of files that were written besides.
  package func listing(and others: [String] = [], next page: String) -> String {
    (names + others).map(path(of:)).joined(separator: "\n") + "\nnext: " + path(of: page)
  }

  /// Writes every file, readable by its owner only, or none if one of them exists.
  ///
  /// - Throws: exit status 2 with every file that exists; 3 where a file cannot be written.
  package func write() throws(CommandFailure) {
    let existing = names.filter { FileIdentity(path: path(of: $0)) != nil }
    guard existing.isEmpty else {
      throw CommandFailure(
        .usage,
        existing.map {
          CommandFailure.Message(
            "\(ShownPath.of(path(of: $0))) exists already; nothing was written",
            hint: "name another folder, or move the file away")
        })
    }
    do throws(FileFailure) {
      try OpenFile.makeFolder(folder)
      for file in files { try OpenFile(creating: path(of: file.name)).write(file.content) }
    } catch {
      throw CommandFailure(
        .inputOutput, "cannot write into \(ShownPath.of(folder)): \(error.text)")
    }
  }
}
