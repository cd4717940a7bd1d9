import Octets

/// Where the lines of a text begin, for many places in it.
package struct LineIndex: Sendable {
  private var starts = [0]

  package init(_ bytes: [UInt8]) {
    for (index, byte) in bytes.enumerated() where byte == ASCII.lineFeed {
      starts.append(index + 1)
    }
  }

  /// The line and column of a byte, both from 1.
  package func place(of offset: Int) -> String {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return "line \(low + 1), column \(offset - starts[low] + 1)"
  }
}
