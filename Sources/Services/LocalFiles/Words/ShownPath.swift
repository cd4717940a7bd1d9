import Octets
import SecurityKeys
import TokenBasics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What messages say of a text that stands where a file is meant. People put tokens, keys and passwords there,
/// and shells' histories and logs keep standard error.
package enum ShownPath {
  /// The path, in one line, if there is a file of that name or the text can only be a file's name; else its
  /// length and the beginning of its digest (``SecretMark``).
  package static func of(_ path: String) -> String {
    isShown(path) ? ShownText.line(path) : SecretMark.of(path)
  }

  /// Whether messages show the path itself.
  package static func isShown(_ path: String) -> Bool { isThere(path) || isFileName(path) }

  /// Whether the path names a file, a folder or a link.
  private static func isThere(_ path: String) -> Bool {
    var status = stat()
    guard !path.utf8.contains(0) else { return false }
    return unsafe lstat(path, &status) == 0
  }

  /// Whether the text looks like a path and like no secret. A misspelt name is shown so.
  private static func isFileName(_ text: String) -> Bool {
    // The name of a folder that exists is no secret.
    let folder = text.lastIndex(of: "/").map { text[...$0] } ?? ""
    let rest = isThere(String(folder)) ? text[folder.endIndex...] : text[...]
    return !rest.isEmpty && !looksSecret(String(rest))
  }

  /// Whether a text may be a secret or a token: white space, controls, more than 100 bytes, a beginning that tokens and
  /// keys have, a Simple Web Token's MAC, or a run of 20 or more digits of base64 or hexadecimal that has letters and
  /// digits.
  package static func looksSecret(_ text: String) -> Bool {
    let hasHidden = text.unicodeScalars.contains { $0.isHidden || $0.properties.isWhitespace }
    let beginnings = ["eyJ", "<", "{", "-----BEGIN", "hmac:"]
    return text.utf8.count > 100 || hasHidden || beginnings.contains { text.hasPrefix($0) }
      || text.contains("HMACSHA256=") || hasUserInformation(text) || hasRun(text)
  }

  /// A name and a password before the host of an address.
  private static func hasUserInformation(_ text: String) -> Bool {
    guard let scheme = text.firstRange(of: "://") else { return false }
    return text[scheme.upperBound...].prefix { $0 != "/" }.contains("@")
  }

  private static func hasRun(_ text: String) -> Bool {
    text.utf8.split { byte in
      !(ASCII.isLetter(byte) || ASCII.isDigit(byte) || "+/=_-".utf8.contains(byte))
    }.contains { piece in
      // A slash separates the steps of a path, which are words.
      let steps = piece.split(separator: UInt8(ascii: "/"))
      let runs = steps.contains { $0.count >= 20 } || !isPath(steps) ? [piece] + steps : steps
      return runs.contains { run in
        run.count >= 20 && run.contains(where: ASCII.isLetter) && run.contains(where: ASCII.isDigit)
      }
    }
  }

  /// Whether the pieces between slashes are short words.
  private static func isPath(_ steps: [Substring.UTF8View]) -> Bool {
    steps.allSatisfy { step in
      !step.isEmpty && (!step.contains(where: ASCII.isDigit) || step.count < 12)
    }
  }
}

/// Text from any source, made safe for a terminal.
package enum ShownText {
  /// What a person cannot see, such as controls and marks that turn the direction of text, as `\u{…}`; line feeds
  /// as they are.
  package static func of(_ text: String) -> String { escaped(text, isHidden) }

  /// The same in one line: a line feed is shown as `\u{A}`, so that no text begins a line of its own.
  package static func line(_ text: String) -> String {
    escaped(text) { $0 == "\n" || isHidden($0) }
  }

  private static func escaped(
    _ text: String, _ isEscaped: (Unicode.Scalar) -> Bool
  ) -> String {
    // Printable ASCII, as nearly every text is, without a look at the properties of its characters.
    if ASCII.isPrintable(text.utf8.span) { return text }
    guard text.unicodeScalars.contains(where: isEscaped) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if isEscaped(scalar) {
        shown += scalar.notation
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar != "\n" && scalar.isHidden
  }
}
