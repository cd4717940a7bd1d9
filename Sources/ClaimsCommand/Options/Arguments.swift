import Federation
import Instants

/// Arguments of several verbs, as values.
enum Arguments {
  /// The instant that `--at` names, or now.
  static func instant(_ text: String?) throws(CommandFailure) -> Instant {
    guard let text else { return SystemTime().now }
    return try instant(text, of: "--at")
  }

  /// The instant that an option names.
  static func instant(_ text: String, of option: String) throws(CommandFailure) -> Instant {
    do {
      return try Instant(dateTime: text)
    } catch {
      var error = error
      error.node = option
      throw CommandFailure(usage: error)
    }
  }

  /// The exceptions of `--allow-algorithm`. An algorithm that needs none may be named and changes
  /// nothing.
  ///
  /// - Throws: `policy.unknown-algorithm-name`.
  static func exceptions(_ names: [String]) throws(TokenError) -> Set<LegacyException> {
    var exceptions: Set<LegacyException> = []
    for name in names {
      guard let exception = LegacyException(name) else {
        if LegacyException.isNeedless(name) { continue }
        throw TokenError(
          .unknownAlgorithmName, node: "--allow-algorithm",
          expected: LegacyException.all.map(\.name).joined(separator: ", "),
          found: TokenError.excerpt(name))
      }
      exceptions.insert(exception)
    }
    return exceptions
  }
}
