#if Server
  package import CommandSupport

  /// The file of a service, read anew while the service runs.
  package enum Reload {
    /// What reading makes of the file at a path; nil where it is not in order. That is said, and what was in force stays.
    package static func configuration<Next>(
      at path: String, _ messages: CommandMessages, _ read: () throws(CommandFailure) -> Next
    ) -> Next? {
      do throws(CommandFailure) {
        return try read()
      } catch {
        messages.report(error)
        messages.warning(
          "\(path): not reloaded; the configuration of before stays in force")
        return nil
      }
    }
  }
#endif
