import Federation
import TokenErrors

/// The files of a capture before they are written.
struct CapturedFiles: FileSource {
  let files: [Capture.File]

  func read(_ path: String) throws(TokenError) -> [UInt8] {
    guard let file = files.first(where: { $0.name == path }) else {
      throw TokenError(.trustFileReference, node: path)
    }
    return file.octets
  }
}
