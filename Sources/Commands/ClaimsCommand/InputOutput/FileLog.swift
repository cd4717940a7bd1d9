import Federation
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
    /// Files that were read twice and had changed in between.
    var torn: Set<String> = []
  }

  private let state: Mutex<State>
  /// What the files last said when they could be read.
  let lastGood: LastGoodFiles
  /// Files that are written all the time: they are left alone.
  private let busy: Set<String>

  /// - Parameters:
  ///   - earlier: Where standard input and pipes were read, if they were.
  ///   - busy: Files that are not to be read.
  init(after earlier: FileLog? = nil, leaving busy: Set<String> = []) {
    state = Mutex(State(kept: earlier?.state.withLock { $0.kept } ?? [:]))
    lastGood = earlier?.lastGood ?? LastGoodFiles()
    self.busy = busy
  }

  // MARK: Reading

  /// The content that was read at `path` before and cannot be read again.
  func kept(_ path: String) -> [UInt8]? { state.withLock { $0.kept[path] } }

  func keep(_ path: String, _ content: [UInt8]) { state.withLock { $0.kept[path] = content } }

  /// Whether a file is to be left alone.
  func isBusy(_ path: String) -> Bool { busy.contains(path) }

  /// Records that a file is open, or, with nil, that it could not be opened.
  func begin(_ path: String, _ identity: FileIdentity?) {
    state.withLock { state in
      if let seen = state.seen[path], seen.identity != identity { state.torn.insert(path) }
      state.seen[path] = Seen(identity: identity)
    }
  }

  /// Records that a file was read to its end.
  func end(_ path: String, _ identity: FileIdentity?, _ mark: ContentMark?) {
    state.withLock { state in
      if state.seen[path]?.identity != identity { state.torn.insert(path) }
      state.seen[path] = Seen(identity: identity, mark: mark)
    }
  }

  // MARK: Changes

  /// The files that are not as they were read any more: what was read does not belong together.
  var inconsistent: Set<String> {
    state.withLock { state in
      var paths = state.torn
      for (path, seen) in state.seen where seen.identity != FileIdentity(path: path) {
        paths.insert(path)
      }
      return paths.subtracting(busy)
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
      var change = state.torn.isEmpty ? Change.none : .done
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
