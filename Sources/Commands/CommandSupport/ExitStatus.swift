#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import LocalFiles

/// How a command ends. Scripts rely on the numbers.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// A token, a service or a person said no; a check has a finding.
  case rejected = 1
  /// Wrong usage, or a configuration that is refused.
  case usage = 2
  /// The network, the input or the output failed.
  case inputOutput = 3
  /// As a shell reports an end by SIGTERM.
  case terminated = 143

  /// Ends the process.
  package func exit() -> Never {
    #if canImport(Glibc)
      Glibc.exit(rawValue)
    #elseif canImport(Musl)
      Musl.exit(rawValue)
    #else
      Darwin.exit(rawValue)
    #endif
  }
}

/// What every command does first.
package enum CommandStart {
  /// Standard streams that the parent closed get no other file, and a closed reader shows as an error of `write`,
  /// not as a signal.
  package static func prepare() {
    OpenFile.occupyStandardStreams()
    signal(SIGPIPE, SIG_IGN)
  }
}
