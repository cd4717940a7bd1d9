import CommandSupport

extension CommandMessages {
  static let own = CommandMessages(of: "acs")
}
