import Foundation
import LocalFiles
import Testing

@Suite("Pipes where files are meant")
struct PipeTests {
  /// A FIFO of one test.
  private func withPipe(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
    let made = unsafe mkfifo(path, 0o600)
    try #require(made == 0)
    defer { _ = unsafe unlink(path) }
    try body(path)
  }

  @Test("A FIFO that nobody writes to is given up after the wait")
  func withoutWriter() throws {
    try withPipe { path in
      let failure = #expect(throws: FileFailure.self) {
        try OpenFile(reading: path, wait: .milliseconds(60))
      }
      #expect(failure?.text == "nobody writes to this pipe")
    }
  }

  @Test("A FIFO that nobody reads is given up after the wait")
  func withoutReader() throws {
    try withPipe { path in
      let failure = #expect(throws: FileFailure.self) {
        try OpenFile(writing: path, wait: .milliseconds(60))
      }
      #expect(failure?.text == "nobody reads this pipe")
    }
  }

  @Test("A writer that sends nothing is given up after the silence")
  func silentWriter() throws {
    try withPipe { path in
      let both = unsafe open(path, O_RDWR)
      defer { close(both) }
      let file = try OpenFile(reading: path, silence: .milliseconds(60))
      #expect(throws: FileFailure.self) { try file.readAll(limit: 10) }
    }
  }

  @Test("What a writer sends is read to its end, also when it comes late")
  func lateWriter() throws {
    try withPipe { path in
      let octets = [UInt8](repeating: 7, count: 100_000)
      let thread = Thread {
        try? OpenFile(writing: path).write(octets)
      }
      thread.start()
      let read = try OpenFile(reading: path).readAll(limit: 200_000)
      #expect(read == octets)
    }
  }

  @Test("An anonymous pipe is read by its name, also after its writer ended")
  func processSubstitution() throws {
    for text in ["a token", ""] {
      var ends: [Int32] = [-1, -1]
      let made = unsafe pipe(&ends)
      try #require(made == 0)
      let octets = Array(text.utf8)
      let written = unsafe write(ends[1], octets, octets.count)
      #expect(written == octets.count)
      close(ends[1])
      defer { close(ends[0]) }
      #expect(try OpenFile(reading: "/dev/fd/\(ends[0])").readAll(limit: 100) == octets)
    }
  }

  @Test("A device without an end is read to the limit")
  func endless() throws {
    #expect(try OpenFile(reading: "/dev/zero").readAll(limit: 1000).count > 1000)
  }
}
