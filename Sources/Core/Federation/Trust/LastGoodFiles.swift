import Synchronization

/// What the files of a trust last said when they could be read, so that one that does not load keeps no other's changes
/// out: its own last good content stays in use.
package final class LastGoodFiles: Sendable {
  /// A file that does not load.
  package struct Kept: Sendable {
    /// Its path, as the configuration has it.
    package let path: String
    /// Why it does not load.
    package let error: TokenError

    /// Whether it is the file at `location`, which is where the source found it.
    package func isFile(at location: String) -> Bool {
      var name = path[...]
      for prefix in ["hmac-file:", "jwks:"] where name.hasPrefix(prefix) {
        name = name.dropFirst(prefix.count)
      }
      return location == name || location.hasSuffix("/" + name)
    }
  }

  private struct State: Sendable {
    /// What the trust in use was made of, by kind and path.
    var good: [String: any Sendable] = [:]
    /// The same of a load that is under way.
    var loading: [String: any Sendable] = [:]
    var kept: [Kept] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Begins a load.
  package func begin() {
    state.withLock { state in
      state.loading = [:]
      state.kept = []
    }
  }

  /// Ends a load whose trust is used: what it did not name is forgotten.
  package func commit() {
    state.withLock { state in
      state.good = state.loading
      state.loading = [:]
    }
  }

  /// The files of this load that did not load, in the order in which they were read.
  package var kept: [Kept] { state.withLock { $0.kept } }

  /// Reads a file, or has its last good content again.
  ///
  /// - Parameters:
  ///   - kind: What it is read as: a file may be read as several things.
  ///   - isStillGood: Whether the last good content is of use.
  /// - Throws: What `read` throws, where there is no last good content.
  func value<Value: Sendable>(
    of path: String, as kind: StaticString, isStillGood: (Value) -> Bool = { _ in true },
    _ read: () throws(TokenError) -> Value
  ) throws(TokenError) -> Value {
    let name = "\(kind):\(path)"
    do throws(TokenError) {
      let value = try read()
      state.withLock { $0.loading[name] = value }
      return value
    } catch {
      let last = state.withLock { state -> Value? in
        guard let last = state.good[name] as? Value, isStillGood(last) else { return nil }
        state.loading[name] = last
        if !state.kept.contains(where: { $0.path == path }) {
          state.kept.append(Kept(path: path, error: error))
        }
        return last
      }
      guard let last else { throw error }
      return last
    }
  }
}

extension FileSource {
  /// Reads a file, or, from a source that remembers, its last good content again.
  package func value<Value: Sendable>(
    of path: String, as kind: StaticString, isStillGood: (Value) -> Bool = { _ in true },
    _ read: () throws(TokenError) -> Value
  ) throws(TokenError) -> Value {
    guard let lastGood = (self as? any RememberingFileSource)?.lastGood else { return try read() }
    return try lastGood.value(of: path, as: kind, isStillGood: isStillGood, read)
  }
}

/// A source of files that are read again and again.
package protocol RememberingFileSource: FileSource {
  /// What its files last said; nil for a source that reads them once.
  var lastGood: LastGoodFiles? { get }
}

extension TrustFile {
  /// The trust of the file at `path`, which may be the last good one, of files that may be.
  ///
  /// - Parameter fetchesKeys: Whether the caller fetches the keys of issuers that are named with an address.
  /// - Throws: As ``get()``, and what the source throws.
  package static func trust(
    at path: String, fetchesKeys: Bool = false, read: () throws(TokenError) -> [UInt8],
    files: some FileSource
  ) throws(TokenError) -> Trust {
    func parsed(_ bytes: [UInt8]) throws(TokenError) -> Trust {
      let file = TrustFile(parsing: bytes, files: files)
      return try fetchesKeys ? file.withRemoteIssuers() : file.get()
    }
    var trust: Trust?
    let bytes = try files.value(of: path, as: "trust") { () throws(TokenError) in
      let bytes = try read()
      trust = try parsed(bytes)
      return bytes
    }
    if let trust { return trust }
    return try parsed(bytes)
  }
}
