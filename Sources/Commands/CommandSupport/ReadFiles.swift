package import LocalFiles
import Synchronization

/// The files that this process read, so that no output is written over one of them, by whatever name or link.
package enum ReadFiles {
  private static let places = Mutex<Set<[UInt64]>>([])

  /// Notes an open file.
  package static func note(_ file: OpenFile) {
    note(FileIdentity(descriptor: file.descriptor))
  }

  /// Notes the file at a path; `-` and missing files are none.
  package static func note(path: String) {
    if path != "-" { note(FileIdentity(path: path)) }
  }

  private static func note(_ identity: FileIdentity?) {
    guard let identity else { return }
    places.withLock { _ = $0.insert(identity.place) }
  }

  /// Refuses an output that is one of the files that were read.
  ///
  /// - Throws: Wrong usage.
  package static func refuse(output path: String?) throws(CommandFailure) {
    guard let path, let place = FileIdentity(path: path)?.place,
      places.withLock({ $0.contains(place) })
    else { return }
    throw CommandFailure(
      .usage, "\(ShownPath.of(path)) is an input, which an output must not replace",
      hint: "name another file for the output")
  }
}
