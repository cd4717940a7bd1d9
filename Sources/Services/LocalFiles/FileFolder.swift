/// The folder of a file, to which the names in it are relative.
package struct FileFolder: Hashable, Sendable {
  /// With the slash at its end; empty for the current folder.
  package let path: String

  /// The current folder.
  package init() { path = "" }

  /// The folder of the file at `path`.
  package init(of path: String) {
    self.path = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// A name as a path: an absolute one stays as it is.
  package func located(_ name: String) -> String { name.hasPrefix("/") ? name : path + name }
}
