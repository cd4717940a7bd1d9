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
  import TokenErrors

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
        let measurement = Stopwatch.measure(seconds: seconds, measured.run)
        var json = JSONWriter()
        json.object { json in
          json.name("case")
          json.string(measured.name)
          json.name("bytes")
          json.integer(measured.bytes)
          json.name("microseconds")
          json.number(measurement.microseconds)
          json.name("perSecond")
          json.integer(measurement.perSecond)
          json.name("microsecondsPerKilobyte")
          json.number(measurement.microseconds * 1000 / Double(measured.bytes))
          if let key = measured.key {
            let once = Stopwatch.measure(seconds: seconds, key).microseconds
            json.name("microsecondsPerKilobyteWithoutKey")
            json.number((measurement.microseconds - once) * 1000 / Double(measured.bytes))
          }
          if let bare = measured.bare {
            let floor = Stopwatch.measure(seconds: seconds, bare).microseconds
            json.name("bareMicroseconds")
            json.number(floor)
            json.name("ratio")
            json.number(measurement.microseconds / max(floor, 0.001))
          }
        }
        json.endLine()
        try Results.write(json.bytes)
      }
    }
  }

  /// Measures the processor time of a repeated piece of work on one core: other programs on the machine change it
  /// less than the time of day.
  enum Stopwatch {
    struct Measurement {
      let microseconds: Double
      let count: Int
      var perSecond: Int { microseconds > 0 ? Int((1e6 / microseconds).rounded()) : 0 }
    }

    /// Repeats `work` for about `seconds`, after a tenth of that to warm up.
    static func measure(seconds: Double, _ work: () -> Void) -> Measurement {
      run(for: seconds / 10, work)
      let start = processorTime
      let count = run(for: seconds, work)
      let microseconds = (processorTime - start) * 1e6
      return Measurement(microseconds: microseconds / Double(max(count, 1)), count: count)
    }

    /// Reads the clock after every batch; a batch doubles until it takes a millisecond.
    @discardableResult
    private static func run(for seconds: Double, _ work: () -> Void) -> Int {
      let end = processorTime + seconds
      var count = 0
      var batch = 1
      while processorTime < end {
        let start = processorTime
        for _ in 0..<batch { work() }
        count += batch
        if processorTime - start < 0.001 { batch *= 2 }
      }
      return count
    }

    /// Seconds of this thread.
    private static var processorTime: Double {
      var time = timespec()
      _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
  }
#endif
