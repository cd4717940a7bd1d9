import LocalFiles
import Synchronization

/// The state of each file when a configuration was read, to detect later changes.
final class FileLog: Sendable {
  private struct Seen: Sendable {
    /// Nil for a file that could not be opened.
    var identity: FileIdentity?
    /// Nil for a file that was not read to its end.
    var mark: ContentMark?
  }

  private struct State: Sendable {
    var seen: [String: Seen] = [:]
    /// The content of input that cannot be read twice.
    var kept: [String: [UInt8]] = [:]
    var isTorn = false
  }

  private let state: Mutex<State>

  /// - Parameter earlier: Where standard input and pipes were read, if they were.
  init(after earlier: FileLog? = nil) {
    state = Mutex(State(kept: earlier?.state.withLock { $0.kept } ?? [:]))
  }

  // MARK: Reading

  /// The content that was read at `path` before and cannot be read again.
  func kept(_ path: String) -> [UInt8]? { state.withLock { $0.kept[path] } }

  func keep(_ path: String, _ content: [UInt8]) { state.withLock { $0.kept[path] = content } }

  /// Records that a file is open, or, with nil, that it could not be opened.
  func begin(_ path: String, _ identity: FileIdentity?) {
    state.withLock { state in
      if let seen = state.seen[path], seen.identity != identity { state.isTorn = true }
      state.seen[path] = Seen(identity: identity)
    }
  }

  /// Records that a file was read to its end.
  func end(_ path: String, _ identity: FileIdentity?, _ mark: ContentMark?) {
    state.withLock { state in
      if state.seen[path]?.identity != identity { state.isTorn = true }
      state.seen[path] = Seen(identity: identity, mark: mark)
    }
  }

  // MARK: Changes

  /// Whether all files are still as they were read, so that they belong together.
  var isConsistent: Bool {
    state.withLock { state in
      !state.isTorn && state.seen.allSatisfy { $1.identity == FileIdentity(path: $0) }
    }
  }

  enum Change {
    case none
    /// Some file seems to be written at the moment.
    case underWay
    case done
  }

  /// Whether some file has, or may have, other content than was read. A file with a new date and the
  /// same content has not changed.
  func change() -> Change {
    state.withLock { state in
      var change = state.isTorn ? Change.done : .none
      for (path, seen) in state.seen {
        let identity = FileIdentity(path: path)
        if identity == seen.identity, identity?.isSettled ?? true { continue }
        if identity?.isFresh ?? false { return .underWay }
        if let mark = seen.mark, let now = Self.content(of: path), now.mark == mark {
          state.seen[path]?.identity = now.identity
          continue
        }
        change = .done
      }
      return change
    }
  }

  /// The files with other content than in another log, or that only one of the two has.
  func differences(from other: FileLog) -> [String] {
    let (new, old) = (marks, other.marks)
    return Set(new.keys).union(old.keys).filter { new[$0] != old[$0] }.sorted()
  }

  private var marks: [String: ContentMark?] { state.withLock { $0.seen.mapValues(\.mark) } }

  /// Nil for a file that cannot be read, or is being written.
  private static func content(of path: String) -> (identity: FileIdentity?, mark: ContentMark)? {
    guard let file = try? OpenFile(reading: path), file.status != nil else { return nil }
    let before = FileIdentity(descriptor: file.descriptor)
    var mark = ContentMark()
    var chunk: [UInt8] = []
    while true {
      chunk.removeAll(keepingCapacity: true)
      guard let count = try? file.read(65_536, into: &chunk) else { return nil }
      if count == 0 { break }
      mark.add(chunk)
    }
    return before == FileIdentity(descriptor: file.descriptor) ? (before, mark) : nil
  }
}
