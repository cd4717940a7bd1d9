import Octets

/// Cuts files into batches of whole lines. Memory stays bounded by the longest line that may count.
struct LineReader {
  /// Whole lines, one behind the other.
  struct Batch: Sendable {
    let bytes: [UInt8]
  }

  private let file: File
  private let lineLimit: Int
  private var buffer: [UInt8] = []
  private var isSkipping = false
  private var isAtEnd = false

  /// Bytes read at once: enough lines to keep a worker busy, few enough to stay in its cache.
  private static let chunk = 256 << 10

  init(_ file: File, lineLimit: Int) {
    self.file = file
    self.lineLimit = lineLimit
  }

  /// The next lines that are there, or nil at the end. A line beyond the limit is cut short: what is
  /// left of it is still too large to be a token, and its rest is skipped.
  mutating func next() throws(File.Failure) -> Batch? {
    while !isAtEnd {
      if try file.read(Self.chunk, into: &buffer) == 0 {
        isAtEnd = true
        break
      }
      if isSkipping {
        guard let end = buffer.firstIndex(of: ASCII.lineFeed) else {
          buffer.removeAll(keepingCapacity: true)
          continue
        }
        buffer.removeSubrange(...end)
        isSkipping = false
      }
      if let last = buffer.lastIndex(of: ASCII.lineFeed) {
        let batch = Batch(bytes: Array(buffer[...last]))
        buffer.removeSubrange(...last)
        return batch
      }
      if buffer.count > lineLimit {
        isSkipping = true
        return takeRest()
      }
    }
    return buffer.isEmpty ? nil : takeRest()
  }

  private mutating func takeRest() -> Batch {
    let batch = Batch(bytes: buffer)
    buffer = []
    return batch
  }
}
