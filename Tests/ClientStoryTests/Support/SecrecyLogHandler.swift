#if Client
  import Logging
  import TestSupport

  /// Records each line for the search of the whole run.
  struct SecrecyLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let error = event.error.map { "\($0)" } ?? ""
      Secrecy.see(
        line: "\(event.level) \(event.message) \(metadata) \(event.metadata ?? [:]) \(error)")
    }
  }
#endif
