import CommandSupport
import Federation
import LocalFiles
import SecurityKeys
import TokenBasics

/// Arguments of several verbs, as values.
enum Arguments {
  /// The instant that `--at` names, or now: RFC 3339, a date (its midnight in UTC) or seconds since 1970.
  static func instant(_ text: String?) throws(CommandFailure) -> Instant {
    guard let text else { return SystemTime().now }
    return try instant(text, of: "--at")
  }

  /// The instant that an option names, written as `--at` is.
  static func instant(_ text: String, of option: String) throws(CommandFailure) -> Instant {
    if (1...12).contains(text.utf8.count), text.utf8.allSatisfy(isDigit), let seconds = Int64(text)
    {
      return Instant(secondsSinceEpoch: seconds)
    }
    do {
      return try Instant(dateTime: text.utf8.count == 10 ? text + "T00:00:00Z" : text)
    } catch {
      var error = error
      error.node = option
      error.expected = "an instant such as 2030-01-01T12:00:00Z, a date or seconds since 1970"
      error.found = ShownPath.looksSecret(text) ? SecretMark.of(text) : TokenError.excerpt(text)
      throw CommandFailure(
        .usage,
        [
          .init(
            error.description,
            hint: "RFC 3339 with its time zone, a date (its midnight in UTC), or seconds since 1970"
          )
        ], causes: [error])
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// A name that is none of an algorithm, shown only where it differs from one in case: it may be anything.
  static func shown(algorithm name: String) -> String {
    let names =
      SignatureAlgorithm.namesExpected + LegacyException.all.map(\.name).joined(separator: " ")
    let isAlike = name.utf8.count > 3 && names.lowercased().contains(name.lowercased())
    return isAlike || !ShownPath.looksSecret(name) ? TokenError.excerpt(name) : SecretMark.of(name)
  }
}
