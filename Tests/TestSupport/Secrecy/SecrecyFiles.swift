import Foundation
import Synchronization

/// The files of this process, a JSON string a line.
final class SecrecyFiles: Sendable {
  private let folder: String
  private let handles = Mutex<[Secrecy.Kind: FileHandle]>([:])

  init(folder: String) { self.folder = folder }

  func write(_ kind: Secrecy.Kind, _ text: String) {
    guard var line = try? JSONEncoder().encode(text) else { return }
    line.append(10)
    handles.withLock { handles in
      if handles[kind] == nil {
        let id = ProcessInfo.processInfo.processIdentifier
        let path = "\(folder)/\(id).\(kind.rawValue)"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        handles[kind] = FileHandle(forWritingAtPath: path)
      }
      handles[kind]?.write(line)
    }
  }
}
