#if Server
  import AccessControl
  import CommandSupport
  import LocalFiles

  extension CommandFailure {
    /// Why the service does not start: every error, with its number of Access Control Service where it has one.
    ///
    /// - Parameter file: The file in which they are, where it is not the service's own.
    init(service errors: [TokenError], in file: String? = nil) {
      self.init(
        .usage,
        errors.map { error in
          // 50000 stands for all that Access Control Service has no number for.
          let code = ACSRefusal(error)
          let number = code.number == .other ? "" : "\(code): "
          let place = file.map { "\(ShownPath.of($0)): " } ?? ""
          return Message(place + number + error.description, hint: error.hint)
        }, causes: errors)
    }
  }
#endif
