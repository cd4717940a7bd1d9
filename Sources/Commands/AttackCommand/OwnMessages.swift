import CommandSupport

extension CommandMessages {
  static let own = CommandMessages(of: "claims-attack")
}
