#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import Octets

  /// One token a line, for `verify` and `decode`.
  struct LineOptions: ParsableArguments {
    @Flag(
      name: .customLong("lines"),
      help: "One token on each input line, one JSON object on each output line.")
    var areUsed = false

    @Option(
      help: ArgumentHelp(
        "Worker threads for --lines, 1 to 256; default the number of cores.", valueName: "COUNT"))
    var jobs: Int?

    @Flag(
      help: """
        With --lines, add the number of its line to each record, and the file if there are several.
        """)
    var lineNumbers = false

    func validate() throws {
      if let jobs, !(1...Self.mostJobs).contains(jobs) {
        throw ValidationError("--jobs must be 1 to \(Self.mostJobs)")
      }
      guard areUsed || jobs == nil else { throw ValidationError("--jobs needs --lines") }
      guard areUsed || !lineNumbers else { throw ValidationError("--line-numbers needs --lines") }
    }

    /// Writes a record for each line of the files.
    ///
    /// - Returns: The outcome, and whether SIGTERM ended the run early.
    func run(
      _ files: [String], _ verifier: CurrentVerifier, _ clock: RunClock
    ) -> (outcome: LinePipeline.Outcome, isTerminated: Bool) {
      LongBlocks.keep()
      let hangUp = HangUpSignal { verifier.reload() }
      let termination = Termination()
      let paths = files.isEmpty ? ["-"] : files
      let progress = ProgressBar(of: paths)
      let pipeline = LinePipeline(
        verifier: verifier, clock: clock, jobs: jobs ?? min(Parallel.coreCount, Self.mostJobs),
        hasNumbers: lineNumbers, termination: termination, progress: progress)
      let outcome = pipeline.run(paths)
      progress?.end()
      hangUp.stop()
      verifier.end()
      return (outcome, termination?.isAsked == true)
    }

    /// More threads than any machine has cores; each has a batch of lines in memory.
    private static let mostJobs = 256
  }
#endif
