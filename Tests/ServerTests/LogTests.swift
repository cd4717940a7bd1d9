#if Server
  import CommandServer
  import Dispatch
  import HTTPExchange
  import Synchronization
  import Testing

  @Suite("The log")
  struct LogTests {
    private func line(_ format: LogFormat, _ activity: Activity) -> String {
      let lines = Mutex<[String]>([])
      let log = StandardErrorLog(format, write: { line in lines.withLock { $0.append(line) } })
      log.happened(activity)
      return lines.withLock { $0.first } ?? ""
    }

    @Test("A value that a stranger wrote adds no attribute")
    func quoted() {
      let line = line(
        .text,
        Activity("a.b", [("code", "x.y"), ("error", "u code=forged \"q\" \\"), ("empty", "")]))
      #expect(
        line.hasSuffix(" a.b code=x.y error=\"u code=forged \\\"q\\\" \\\\\" empty=\"\""))
    }

    @Test("Plain values stand without quotes")
    func plain() {
      #expect(
        line(.text, Activity("a.b", [("path", "/x?y"), ("number", "1.5")]))
          .hasSuffix(" a.b path=/x?y number=1.5"))
    }

    @Test("A line of JSON is an object, in which a name stands once")
    func json() {
      let line = line(
        .json, Activity("a.b", [("code", "x"), ("code", "y"), ("error", "\"\n")]))
      #expect(line.hasPrefix("{\"time\":\""))
      #expect(line.hasSuffix("\"event\":\"a.b\",\"code\":\"x\",\"error\":\"\\\"\\\\u{A}\"}"))
    }

    @Test("Nobody waits for a reader that stalls, and the lines that are dropped are counted")
    func stalled() {
      let mayWrite = DispatchSemaphore(value: 0)
      let written = Mutex<[String]>([])
      let buffer = LogBuffer(capacity: 10) { line in
        mayWrite.wait()
        written.withLock { $0.append(line) }
      }
      for number in 0..<100 { buffer.add("\(number)") }
      let dropped = buffer.dropped
      #expect((80...90).contains(dropped))
      for _ in 0..<100 { mayWrite.signal() }
      buffer.flush(within: .seconds(60))
      let lines = written.withLock { $0 }
      #expect(lines.count == 100 - dropped + 1)
      #expect(lines.contains { $0.contains(" log.dropped lines=\(dropped)") })
      buffer.add("last")
      buffer.flush(within: .seconds(60))
      #expect(written.withLock { $0.last } == "last")
    }
  }
#endif
