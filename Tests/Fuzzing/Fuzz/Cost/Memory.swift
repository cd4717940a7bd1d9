import Foundation

/// The resources of the process, as Linux counts them.
enum Memory {
  /// Milliseconds of processor time so far: other processes do not count.
  static var processorTime: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
  }

  /// Resets the peak; returns the bytes that are resident now.
  static func resetPeak() -> Int {
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    return status("VmRSS:")
  }

  /// The most bytes that were resident at a time.
  static var peak: Int { status("VmHWM:") }

  private static func status(_ name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap {
      Int($0)
    }
    return (kilobytes ?? 0) * 1_024
  }
}
