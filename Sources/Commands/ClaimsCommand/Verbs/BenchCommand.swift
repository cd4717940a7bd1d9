#if CommandLine
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif
  import ArgumentParser
  import CommandSupport
  import Octets
  import TokenBasics

  struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "bench",
      abstract: "Says what this machine does per core, beside the bare cost of the cryptography.",
      discussion: """
        Examples:
          claims bench --seconds 0.5

        One JSON object a case. Tokens and keys are made for the run. What is bare is the MAC, or one \
        SHA-256 of the octets and one verification, and for SAML a parse by libxml2 without handlers. \
        A kilobyte without the key leaves out the one public-key operation, which costs the same \
        however long a token is.
        """)

    @Option(help: ArgumentHelp("Seconds for each case.", valueName: "SECONDS"))
    var seconds: Double = 1

    func validate() throws {
      guard (0.001...60).contains(seconds) else {
        throw ValidationError("--seconds must be between 0.001 and 60")
      }
    }

    func run() throws {
      LongBlocks.keep()
      let cases: [BenchCase]
      do throws(TokenError) {
        cases = try BenchCase.all()
      } catch {
        throw CommandFailure(usage: error)
      }
      for measured in cases {
        var works = [measured.run]
        if let bare = measured.bare { works.append(bare) }
        if let key = measured.key { works.append(key) }
        var times = Stopwatch.microseconds(of: works, seconds: seconds, round: measured.round)[...]
        let microseconds = times.removeFirst()
        let bare = measured.bare.flatMap { _ in times.popFirst() }
        let kilobytes = Double(measured.bytes) / 1000
        var json = JSONWriter()
        json.object { json in
          json.name("case")
          json.string(measured.name)
          json.name("bytes")
          json.integer(measured.bytes)
          json.name("microseconds")
          json.number(microseconds)
          json.name("perSecond")
          json.integer(Int((1e6 / max(microseconds, 0.001)).rounded()))
          json.name("microsecondsPerKilobyte")
          json.number(microseconds / kilobytes)
          if let key = times.first {
            json.name("microsecondsPerKilobyteWithoutKey")
            json.number((microseconds - key) / kilobytes)
          }
          if let bare {
            json.name("bareMicroseconds")
            json.number(bare)
            json.name("ratio")
            json.number(microseconds / max(bare, 0.001))
          }
        }
        json.endLine()
        try Results.write(json.bytes)
      }
    }
  }

  /// Measures the processor time of repeated pieces of work on one core: other programs on the machine change it
  /// less than the time of day.
  enum Stopwatch {
    /// Microseconds of each work, once. The works take turns of some milliseconds for about `seconds` each, after one
    /// turn to warm up, and the shortest turn of each counts: what else the machine does adds to a turn and takes nothing away.
    ///
    /// - Parameter round: How often a turn does the work at least.
    static func microseconds(
      of works: [() -> Void], seconds: Double, round: Int = 1
    ) -> [Double] {
      let counts = works.map { work in
        var count = round
        while processorTime(of: work, count) < 0.002 { count *= 2 }
        return count
      }
      var shortest = works.map { _ in Double.infinity }
      var rest = seconds * Double(works.count)
      repeat {
        for (index, work) in works.enumerated() {
          let time = processorTime(of: work, counts[index])
          shortest[index] = min(shortest[index], time * 1e6 / Double(counts[index]))
          rest -= time
        }
      } while rest > 0
      return shortest
    }

    /// Seconds of this thread for `count` times the work.
    private static func processorTime(of work: () -> Void, _ count: Int) -> Double {
      let start = now
      for _ in 0..<count { work() }
      return now - start
    }

    /// Seconds that this thread has taken.
    private static var now: Double {
      var time = timespec()
      _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
  }
#endif
