#if Server
  package import Logging

  extension Logger {
    /// What the server of a command says when something goes wrong; requests are logged by the site.
    package static func server(of command: String) -> Logger {
      var logger = Logger(label: command)
      logger.logLevel = .warning
      return logger
    }
  }
#endif
