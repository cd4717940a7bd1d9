import LocalFiles
import Octets

/// Cuts files into batches of whole lines. Memory stays bounded by the longest line allowed.
struct LineReader {
  private let file: OpenFile
  private let lineLimit: Int
  private let termination: Termination?
  /// The number of the next batch's first line, counted from 1.
  private(set) var nextLine = 1
  /// The bytes read after the lines of the last batch.
  private var rest: [UInt8] = []
  private var linesInBatch = 0
  private var isSkipping = false
  private var isAtEnd = false

  /// Bytes read at once: enough lines to keep a worker busy, few enough to stay in its cache.
  private static let chunk = 256 << 10
  /// The most lines of a batch: the record of an empty line is some hundred times as long as the line.
  private static let mostLines = 4096

  init(_ file: OpenFile, lineLimit: Int, termination: Termination?) {
    self.file = file
    self.lineLimit = lineLimit
    self.termination = termination
  }

  /// Fills `batch` with the next available lines; returns whether there are any. A line beyond the
  /// limit is truncated: the part kept is still too large to be a token, and the rest is skipped. At SIGTERM a line whose
  /// end was not read is none.
  mutating func next(_ batch: inout [UInt8]) throws(FileFailure) -> Bool {
    linesInBatch = 1
    guard try fill(&batch) else { return false }
    nextLine += linesInBatch
    return true
  }

  private mutating func fill(_ batch: inout [UInt8]) throws(FileFailure) -> Bool {
    batch.removeAll(keepingCapacity: true)
    batch.append(contentsOf: rest)
    rest.removeAll(keepingCapacity: true)
    // Lines that were read are answered before anything is waited for.
    if cutAfterLines(&batch) { return true }
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
      if cutAfterLines(&batch) { return true }
      if batch.count > lineLimit {
        isSkipping = true
        return true
      }
    }
    return !batch.isEmpty
  }

  /// Leaves whole lines in the batch, as many as it takes; what is behind them waits. Returns whether there are any.
  private mutating func cutAfterLines(_ batch: inout [UInt8]) -> Bool {
    var (lines, end) = (0, 0)
    while lines < Self.mostLines, let feed = batch.firstIndex(of: ASCII.lineFeed, from: end) {
      end = feed + 1
      lines += 1
    }
    guard lines > 0 else { return false }
    linesInBatch = lines
    rest.append(contentsOf: batch[end...])
    batch.removeLast(batch.count - end)
    return true
  }
}
