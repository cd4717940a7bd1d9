import CommandSupport

extension CommandMessages {
  static let own = CommandMessages(of: "claims", hint: HintOptions.added)

  /// Writes a record; output that cannot be written ends the command.
  func writeOrEnd(_ record: [UInt8]) {
    do throws(CommandFailure) { try Results.write(record) } catch { end(error) }
  }
}
