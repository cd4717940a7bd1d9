import LocalFiles
package import TokenBasics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Why a command ends early, as opposed to a token that is rejected.
package struct CommandFailure: Error {
  /// What a person reads: a sentence in lower case without a final period, and what to do about it.
  package struct Message: Sendable {
    let text: String
    let hint: String?

    package init(_ text: String, hint: String? = nil) {
      self.text = text
      self.hint = hint
    }
  }

  package let status: ExitStatus
  /// Nothing where the end speaks for itself.
  package let messages: [Message]
  /// The errors that the messages tell; empty where there is no error code.
  package let causes: [TokenError]
  /// JSON for scripts, on standard output; nil for none.
  package let record: [UInt8]?

  package init(
    _ status: ExitStatus, _ messages: [Message], causes: [TokenError] = [], record: [UInt8]? = nil
  ) {
    self.status = status
    self.messages = messages
    self.causes = causes
    self.record = record
  }

  package init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
    self.init(status, [Message(message, hint: hint)])
  }

  /// A key, a file of configuration or an argument that cannot be used.
  package init(usage error: TokenError) { self.init(usage: [error]) }

  /// A file of configuration with all that is wrong in it.
  package init(usage errors: [TokenError]) {
    self.init(
      .usage, errors.map { Message($0.description, hint: $0.hint) }, causes: errors)
  }

  /// The messages without their hints.
  package var text: String { messages.map(\.text).joined(separator: "; ") }
}

/// How a command ends. Scripts rely on the numbers.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// A token, a service or a person said no; a check has a finding.
  case rejected = 1
  /// Wrong usage, or a configuration that is refused.
  case usage = 2
  /// The network, the input or the output failed.
  case inputOutput = 3
  /// What has to hold before anything else means something does not.
  case control = 4
  /// As a shell reports an end by SIGTERM.
  case terminated = 143

  /// Ends the process, once what the C library holds back is written. Libraries clean up nothing: OpenSSL's clean-up
  /// does not bear that another thread still works, as the threads of a server do.
  package func exit() -> Never {
    fflush(nil)
    _exit(rawValue)
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
