import Foundation

/// The secrets of a whole test run, and every text that must not show them.
///
/// Nothing is collected unless the environment names a folder, `SECRECY_FOLDER`: `Tests/Secrets/search.py`
/// does, runs the whole suite, and searches everything for every secret.
public enum Secrecy {
  /// The collected data, each kind in files of its own.
  enum Kind: String, CaseIterable {
    case secret = "secrets"
    case line = "lines"
    case error = "errors"
    case description = "descriptions"
  }

  private static let folder = ProcessInfo.processInfo.environment["SECRECY_FOLDER"]
  private static let files = folder.map(SecrecyFiles.init)

  /// Whether anything is collected.
  public static var isOn: Bool { files != nil }

  /// Records a secret. Short words would be found by chance.
  public static func hide(_ secret: String) {
    guard let files, secret.utf8.count >= 8 else { return }
    files.write(.secret, secret)
  }

  /// Records a token, and the part that only its issuer can write: its signature or MAC.
  public static func hide(token: String) {
    guard isOn else { return }
    hide(token)
    for proof in proofs(of: token) { hide(proof) }
  }

  /// Records a line of a log, of standard output or of standard error.
  public static func see(line: String) { files?.write(.line, line) }

  /// Records an error as a program would print it.
  public static func see(error: any Error) {
    guard let files else { return }
    for text in texts(of: error) { files.write(.error, text) }
  }

  /// Records all descriptions of a value.
  public static func see(_ value: Any) {
    guard let files else { return }
    for text in texts(of: value) { files.write(.description, text) }
  }

  private static func texts(of value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), dumped]
  }

  private static func proofs(of token: String) -> [String] {
    if let mark = token.range(of: "HMACSHA256=", options: .backwards) {
      let mac = String(token[mark.upperBound...])
      return [mac, mac.removingPercentEncoding ?? mac]
    }
    let parts = token.split(separator: ".")
    if parts.count == 3, !token.contains("<") { return [String(parts[2])] }
    var found = token.matches(of: /SignatureValue>\s*([A-Za-z0-9+\/=\s]+?)\s*</).map {
      String($0.1)
    }
    for match in token.matches(of: /BinarySecurityToken[^>]*>\s*([A-Za-z0-9+\/=\s]+?)\s*</) {
      found.append(String(match.1))
      let data = Data(base64Encoded: String(match.1), options: .ignoreUnknownCharacters)
      if let data, let inner = String(data: data, encoding: .utf8) {
        found += [inner] + proofs(of: inner)
      }
    }
    return found
  }
}
