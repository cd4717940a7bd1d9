#if Client
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif
  import CommandSupport
  import FederationClient
  import LocalFiles
  import Octets

  /// The session file in the user's data folder (XDG Base Directory Specification), and its key file there.
  struct DefaultStore {
    private let base: String

    private var folder: String { base + "/claims-client" }
    var file: String { folder + "/credentials" }
    var key: String { folder + "/credentials.key" }

    /// - Throws: exit code 2 if the environment names no folder.
    init() throws(CommandFailure) {
      // The specification requires to ignore relative and empty paths.
      if let data = Self.folder("XDG_DATA_HOME") {
        base = data
      } else if let home = Self.folder("HOME") {
        base = home + "/.local/share"
      } else {
        throw CommandFailure(
          .usage, "neither $XDG_DATA_HOME nor $HOME names a folder",
          hint: "name a file with --store")
      }
    }

    private static func folder(_ name: String) -> String? {
      guard let value = unsafe getenv(name) else { return nil }
      let path = unsafe String(cString: value)
      return path.hasPrefix("/") ? path : nil
    }

    /// Whether the session file exists.
    var isThere: Bool { FileIdentity(path: file) != nil }

    /// Creates the folder, and the key unless it or a session file exists.
    /// - Throws: exit code 3.
    func prepare(makingKey: Bool) throws(CommandFailure) {
      do throws(FileFailure) {
        var path = ""
        for name in folder.split(separator: "/") {
          path += "/" + name
          try OpenFile.makeFolder(path)
        }
        guard makingKey, !isThere, FileIdentity(path: key) == nil else { return }
        let octets = Array((Base64.encode(SystemRandom.octets(32)) + "\n").utf8)
        // Of two concurrent processes, the first one's key is used.
        try AtomicFile(path: key).create(
          with: octets, draft: ".new-\(Hex.encode(SystemRandom.octets(8)))")
      } catch {
        throw CommandFailure(.inputOutput, "cannot make \(folder): \(error.text)")
      }
    }
  }
#endif
