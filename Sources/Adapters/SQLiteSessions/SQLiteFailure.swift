#if Server
  import GRDB

  /// A failure of SQLite, without the values of its statement.
  struct SQLiteFailure {
    /// The name of the result code, or the type of another error.
    let text: String
    /// Whether it may pass by itself: no room, a lock of another process, an error of the disk.
    let mayPass: Bool

    init(_ error: any Error) {
      guard let error = error as? DatabaseError else {
        (text, mayPass) = ("\(type(of: error))", false)
        return
      }
      text = "SQLite: \(error.resultCode)"
      let passing: [ResultCode] = [
        .SQLITE_FULL, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_IOERR, .SQLITE_NOMEM, .SQLITE_PROTOCOL,
      ]
      mayPass = passing.contains(error.resultCode)
    }
  }
#endif
