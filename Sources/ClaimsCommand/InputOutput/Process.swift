#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The process: its end and its environment.
enum Process {
  /// The exit codes that scripts rely on.
  enum ExitCode: Int32 {
    case success = 0
    case rejected = 1
    case usage = 2
    case inputOutput = 3
    /// As a shell reports an end by SIGTERM.
    case terminated = 143
  }

  static func exit(_ code: ExitCode) -> Never {
    #if canImport(Glibc)
      Glibc.exit(code.rawValue)
    #elseif canImport(Musl)
      Musl.exit(code.rawValue)
    #else
      Darwin.exit(code.rawValue)
    #endif
  }

  /// A closed reader shows as an error of `write`, not as a signal.
  static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

  static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
