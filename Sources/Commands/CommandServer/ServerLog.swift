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

  /// Writes what a library says to standard error, in lines like those of ``StandardErrorLog``: time, level, command,
  /// message, and what belongs to it as `name=value`.
  struct ServerLog: LogHandler {
    let label: String
    var logLevel = Logger.Level.warning
    var metadataProvider: Logger.MetadataProvider?
    /// Where a line goes.
    var write: @Sendable (String) -> Void = { StandardError.line($0) }

    func log(event: LogEvent) {
      var text = "\(SystemTime().now.withMilliseconds) \(event.level) \(label): \(event.message)"
      for (name, value) in (event.metadata ?? [:]).sorted(by: { $0.key < $1.key }) {
        text += " \(name)=\(value)"
      }
      if let error = event.error { text += " error=\(error)" }
      write(ShownText.line(text))
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
