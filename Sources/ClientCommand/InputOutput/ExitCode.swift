#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The exit codes that scripts rely on, the same as those of `claims`.
enum ExitCode: Int32 {
  case done = 0
  case refused = 1
  case usage = 2
  case inputOutput = 3

  func exit() -> Never {
    #if canImport(Glibc)
      Glibc.exit(rawValue)
    #elseif canImport(Musl)
      Musl.exit(rawValue)
    #else
      Darwin.exit(rawValue)
    #endif
  }

  /// Makes a closed pipe an error of `write` instead of a signal.
  static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }
}
