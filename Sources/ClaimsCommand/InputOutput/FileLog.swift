import LocalFiles
import Synchronization

/// In which state each file was when a configuration was read, to see later whether to read it again.
final class FileLog: Sendable {
  private struct Seen: Sendable {
    /// Nil for a file that could not be opened.
    var identity: FileIdentity?
    /// Nil for a file that was not read to its end.
    var mark: ContentMark?
  }

  private struct State: Sendable {
    var seen: [String: Seen] = [:]
    /// What cannot be read twice.
    var kept: [String: [UInt8]] = [:]
    var isTorn = false
  }

  private let state: Mutex<State>

  /// - Parameter earlier: Where standard input and pipes were read, if they were.
  init(after earlier: FileLog? = nil) {
    state = Mutex(State(kept: earlier?.state.withLock { $0.kept } ?? [:]))
  }

  // MARK: Reading

  /// What was read at `path` before and cannot be read again.
  func kept(_ path: String) -> [UInt8]? { state.withLock { $0.kept[path] } }

  func keep(_ path: String, _ content: [UInt8]) { state.withLock { $0.kept[path] = content } }

  /// A file is open, or nil: could not be opened.
  func begin(_ path: String, _ identity: FileIdentity?) {
    state.withLock { state in
      if let seen = state.seen[path], seen.identity != identity { state.isTorn = true }
      state.seen[path] = Seen(identity: identity)
    }
  }

  /// A file was read to its end.
  func end(_ path: String, _ identity: FileIdentity?, _ mark: ContentMark?) {
    state.withLock { state in
      if state.seen[path]?.identity != identity { state.isTorn = true }
      state.seen[path] = Seen(identity: identity, mark: mark)
    }
  }

  // MARK: Looking again

  /// Whether all files are still as they were read, so that they may be taken to belong together.
  var isConsistent: Bool {
    state.withLock { state in
      !state.isTorn && state.seen.allSatisfy { $1.identity == FileIdentity(path: $0) }
    }
  }

  enum Change {
    case none
    /// Some file is being written, as it seems.
    case underWay
    case done
  }

  /// Whether some file has, or may have, other content than was read. A file that was touched and says
  /// the same has not changed.
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

  /// The files that say something else than in another log, or that are in one of the two alone.
  func differences(from other: FileLog) -> [String] {
    let (new, old) = (marks, other.marks)
    return Set(new.keys).union(old.keys).filter { new[$0] != old[$0] }.sorted()
  }

  private var marks: [String: ContentMark?] { state.withLock { $0.seen.mapValues(\.mark) } }

  /// Nil for what cannot be read, or is written just now.
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
