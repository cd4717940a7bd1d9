#if Server
  import CommandSupport
  import LocalFiles
  package import Logging
  import TokenBasics

  extension Logger {
    /// What the server of a command says when something goes wrong; requests are logged by the site.
    package static func server(of command: String) -> Logger {
      Logger(label: command) { ServerLog(label: $0) }
    }
  }

  /// Writes what a library says to standard error, in lines like those of ``StandardErrorLog``: the event `server.log` with level,
  /// command, message, and what belongs to it.
  struct ServerLog: LogHandler {
    let label: String
    var logLevel = Logger.Level.warning
    var metadataProvider: Logger.MetadataProvider?
    /// The form of a line.
    var format = LogFormat.text
    /// Where a line goes.
    var write: @Sendable (String) -> Void = { LogBuffer.standardError.add($0) }

    func log(event: LogEvent) {
      var attributes = [
        (name: "level", value: "\(event.level)"), ("command", label),
        ("message", "\(event.message)"),
      ]
      for (name, value) in (event.metadata ?? [:]).sorted(by: { $0.key < $1.key }) {
        attributes.append((Self.word(name), "\(value)"))
      }
      if let error = event.error { attributes.append(("error", "\(error)")) }
      write(format.line(SystemTime().now.withMilliseconds, "server.log", attributes))
    }

    /// A name as a word: a library may give any text.
    private static func word(_ name: String) -> String {
      String(
        name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
    }

    /// None is kept: Hummingbird numbers every request, and no other line has its number. To write that down took a
    /// tenth of the time of an answer.
    var metadata: Logger.Metadata {
      get { [:] }
      set {}
    }

    subscript(metadataKey _: String) -> Logger.MetadataValue? {
      get { nil }
      set {}
    }
  }
#endif
