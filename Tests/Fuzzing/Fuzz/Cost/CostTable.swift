import Foundation

/// Time and memory of hostile input, each measured in a process of its own.
///
/// Ends with 1 when doubling an input multiplies its time by more than 2.3 (`--growth` moves that: on a
/// busy machine 3 still tells n from n²), or when any takes more than 250 ms or 64 MB.
enum CostTable {
  private struct Row {
    var bytes = 0
    var milliseconds = 0.0
    var megabytes = 0.0
    var verdict = ""
  }

  static func run(_ arguments: [String]) {
    var arguments = arguments
    var bound = 2.3
    if arguments.count > 1, arguments[0] == "--growth", let number = Double(arguments[1]) {
      bound = number
      arguments.removeFirst(2)
    }
    if arguments.count == 2, let index = Int(arguments[0]), let scale = Int(arguments[1]) {
      return measure(HostileFamily.all[index], scale)
    }
    print("| Input | 8x, kB | 1x, ms | 2x | 4x | 8x | growth | peak, MB | verdict at 8x |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---|")
    var failures: [String] = []
    for index in HostileFamily.all.indices where arguments.isEmpty || arguments.contains("\(index)")
    {
      let name = HostileFamily.all[index].name
      var rows = [1, 2, 4, 8].map { child(index, $0) }
      // Other processes disturb; nothing makes a measurement too short.
      for _ in 0..<5 where growth(rows) > bound {
        for (position, scale) in [1, 2, 4, 8].enumerated() {
          let again = child(index, scale)
          rows[position].milliseconds = min(rows[position].milliseconds, again.milliseconds)
        }
      }
      let times = rows.map(\.milliseconds)
      let growth = growth(rows)
      let peak = rows.map(\.megabytes).max() ?? 0
      let cells =
        [String(format: "%.0f", Double(rows[3].bytes) / 1_000)]
        + times.map { String(format: "%.2f", $0) }
        + [growth == 0 ? "-" : String(format: "%.2f", growth), String(format: "%.1f", peak)]
      print("| \(name) | \(cells.joined(separator: " | ")) | \(rows[3].verdict) |")
      if growth > bound { failures.append("\(name): grows by \(growth)") }
      if (times.max() ?? 0) > 250 { failures.append("\(name): \(times)") }
      if peak > 64 { failures.append("\(name): \(peak) MB") }
      if name.contains(" kB of "), (times.max() ?? 0) > 50 { failures.append("\(name): \(times)") }
    }
    print(
      failures.isEmpty ? "\nEverything within its bounds." : "\n" + failures.joined(separator: "\n")
    )
    exit(failures.isEmpty ? 0 : 1)
  }

  /// The most by which a doubling multiplies the time. Below a millisecond there is only noise.
  private static func growth(_ rows: [Row]) -> Double {
    let times = rows.map(\.milliseconds)
    return zip(times, times.dropFirst()).filter { $0.1 > 1 }.map { $0.1 / max($0.0, 0.5) }.max()
      ?? 0
  }

  private static func child(_ index: Int, _ scale: Int) -> Row {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["cost", "\(index)", "\(scale)"]
    let output = Pipe()
    process.standardOutput = output
    // Large blocks are kept once the kernel gave them: what its pages cost grows in steps.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["MALLOC_MMAP_THRESHOLD_": "1000000000", "MALLOC_TRIM_THRESHOLD_": "1000000000"]
    ) { $1 }
    guard (try? process.run()) != nil else { fail("no process") }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let cells = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard process.terminationStatus == 0, cells.count == 4, let bytes = Int(cells[0]),
      let milliseconds = Double(cells[1]), let megabytes = Double(cells[2])
    else { fail("\(HostileFamily.all[index].name) at \(scale) ends with an error") }
    return Row(
      bytes: bytes, milliseconds: milliseconds, megabytes: megabytes, verdict: String(cells[3]))
  }

  private static func measure(_ family: HostileFamily, _ scale: Int) {
    let reader = HostileReader()
    let octets = family.octets(scale)
    // What is set up once per process is not the input's doing.
    _ = reader.read(Array("<r xmlns:a='urn:a' a:b='c'>t</r>".utf8), family.reader)
    let before = Memory.resetPeak()
    var best = Double.infinity
    var verdict = ""
    for _ in 0..<10 {
      let start = Memory.processorTime
      verdict = reader.read(octets, family.reader)
      best = min(best, Memory.processorTime - start)
      if best > 200 { break }
    }
    let peak = max(0, Memory.peak - before)
    print(octets.count, best, Double(peak) / 1_000_000, verdict)
  }
}
