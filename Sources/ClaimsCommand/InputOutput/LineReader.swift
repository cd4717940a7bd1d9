import LocalFiles
import Octets

/// Cuts files into batches of whole lines. Memory stays bounded by the longest line allowed.
struct LineReader {
  private let file: OpenFile
  private let lineLimit: Int
  private let termination: Termination?
  /// The number of the next batch's first line, counted from 1.
  private(set) var nextLine = 1
  /// The bytes read after the last whole line.
  private var rest: [UInt8] = []
  private var isSkipping = false
  private var isAtEnd = false

  /// Bytes read at once: enough lines to keep a worker busy, few enough to stay in its cache.
  private static let chunk = 256 << 10

  init(_ file: OpenFile, lineLimit: Int, termination: Termination?) {
    self.file = file
    self.lineLimit = lineLimit
    self.termination = termination
  }

  /// Fills `batch` with the next available lines; returns whether there are any. A line beyond the
  /// limit is truncated: the part kept is still too large to be a token, and the rest is skipped. At SIGTERM a line whose
  /// end was not read is none.
  mutating func next(_ batch: inout [UInt8]) throws(FileFailure) -> Bool {
    guard try fill(&batch) else { return false }
    nextLine +=
      batch.count(where: { $0 == ASCII.lineFeed }) + (batch.last == ASCII.lineFeed ? 0 : 1)
    return true
  }

  private mutating func fill(_ batch: inout [UInt8]) throws(FileFailure) -> Bool {
    batch.removeAll(keepingCapacity: true)
    batch.append(contentsOf: rest)
    rest.removeAll(keepingCapacity: true)
    while !isAtEnd {
      if let termination, file.isOvertaken(by: termination.descriptor) {
        isAtEnd = true
        batch.removeAll(keepingCapacity: true)
        return false
      }
      if try file.read(Self.chunk, into: &batch) == 0 {
        isAtEnd = true
        break
      }
      if isSkipping {
        guard let end = batch.firstIndex(of: ASCII.lineFeed, from: 0) else {
          batch.removeAll(keepingCapacity: true)
          continue
        }
        batch.removeSubrange(...end)
        isSkipping = false
      }
      if let last = batch.lastPlace(of: ASCII.lineFeed) {
        rest.append(contentsOf: batch[(last + 1)...])
        batch.removeLast(batch.count - last - 1)
        return true
      }
      if batch.count > lineLimit {
        isSkipping = true
        return true
      }
    }
    return !batch.isEmpty
  }
}
