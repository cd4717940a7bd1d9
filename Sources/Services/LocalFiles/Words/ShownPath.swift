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

  /// Whether the text is what only files are called: short words between slashes, with one of the usual endings.
  /// A misspelt name is shown so. Anything else could be a password.
  private static func isFileName(_ text: String) -> Bool {
    // The name of a folder that exists is no secret.
    let folder = text.lastIndex(of: "/").map { text[...$0] } ?? ""
    let rest = isThere(String(folder)) ? text[folder.endIndex...] : text[...]
    guard rest.utf8.count <= 100, rest.unicodeScalars.allSatisfy(isOfNames) else { return false }
    let steps = rest.split(separator: "/")
    guard let name = steps.last, rest.utf8.last != UInt8(ascii: "/"),
      let dot = name.lastIndex(of: "."), dot != name.startIndex,
      endings.contains(String(name[name.index(after: dot)...])),
      steps.allSatisfy({ $0.utf8.count <= 40 && !$0.hasPrefix("eyJ") })
    else { return false }
    return true
  }

  /// No colon, so that no address is a name: it could hold a password.
  private static func isOfNames(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isAlphabetic { return true }
    return scalar.isASCII
      && (("0"..."9").contains(scalar) || "./-_".unicodeScalars.contains(scalar))
  }

  /// Endings of the files that the commands read and write.
  private static let endings: Set<String> = [
    "b64", "cer", "crt", "csr", "db", "der", "gif", "html", "jpeg", "jpg", "json", "jsonl", "jwk",
    "jwks", "jwt", "key", "pem", "png", "pub", "saml", "sarif", "sqlite", "swt", "txt", "xml",
  ]
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
