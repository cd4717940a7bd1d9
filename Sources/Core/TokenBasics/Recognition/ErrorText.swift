import Octets

/// Messages about what failed, which are pasted in place of what was asked for.
enum ErrorText {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    guard sample.octets.count <= 8_192, sample.words.count >= 3,
      ContentEncoding.isText(Array(sample.octets))
    else { return nil }
    if let row = programs.first(where: { $0.marks.contains { sample.has($0) } }) {
      return RecognisedText(
        .errorMessage, detail: row.program, name: "an error message of \(row.program)")
    }
    if let code = code(sample) {
      return RecognisedText(.errorMessage, name: "an error message (\(code))")
    }
    let line = sample.lines.first?.lowercased() ?? ""
    return words.contains { line.contains($0) } && line.utf8.count < 400
      ? RecognisedText(.errorMessage) : nil
  }

  /// What a program writes into its messages alone.
  private static let programs: [(program: String, marks: [String])] = [
    ("curl", ["curl: ("]), ("wget", ["wget: ", "ERROR 40", "ERROR 50"]),
    ("claims itself", ["claims: error: "]),
    ("keytool", ["keytool error: "]), ("jarsigner", ["jarsigner: "]),
    ("xmlsec", ["func=xmlSec", "xmlSec", "Signature is INVALID"]),
    ("xmllint", ["parser error : ", "failed to load external entity"]),
    (
      "openssl",
      [
        ":error:0", " routines:", "unable to load certificate", "unable to load key",
        "unable to load Private Key", "Could not read ", "Could not find certificate",
        "Can't open ", "Could not open file or uri",
      ]
    ),
    ("ssh-keygen", ["is not a public key file", "ssh-keygen: "]), ("gpg", ["gpg: "]),
    ("kubectl", ["Error from server (", "The connection to the server "]),
    ("the AWS command line", ["An error occurred ("]),
    ("PowerShell", ["Invoke-WebRequest : ", "Invoke-RestMethod : ", "FullyQualifiedErrorId"]),
    ("jq", ["jq: error", "parse error: "]), ("base64", ["base64: invalid input"]),
    ("git", ["fatal: not a git", "error: pathspec"]),
    (
      "a browser",
      [
        "ERR_CONNECTION", "ERR_NAME_", "ERR_CERT_", "ERR_SSL_", "ERR_TOO_MANY_REDIRECTS",
        "ERR_INTERNET", "ERR_TIMED_OUT", "ERR_ADDRESS", "DNS_PROBE_", "SEC_ERROR_", "SSL_ERROR_",
        "PR_END_OF_FILE_ERROR", "MOZILLA_PKIX", "This site can", "took too long to respond",
        "Your connection is not private", "Secure Connection Failed", "Unable to connect",
        "trouble finding that site", "redirected you too many times",
        "blocked by CORS policy", "Failed to load resource",
      ]
    ),
    (
      "a shell", ["No such file or directory", "Permission denied", "command not found"]
    ),
  ]

  private static let words = [
    "error", "exception", "failed", "failure", "invalid_", "unauthorized", "forbidden",
    "access denied", "not found", "bad gateway", "service unavailable", "x509: ", "panic:",
    "fatal:", "unable to", "has expired", "timed out",
    "connection refused",
  ]

  /// The number of a message, such as `AADSTS50105`, `MSIS7042` or `IDX10503`, with the program where that is known.
  private static func code(_ sample: TextSample) -> String? {
    for word in sample.words.prefix(64) {
      let code = word.drop { "([\"'".contains($0) }.prefix {
        $0.isASCII && ($0.isLetter || $0.isNumber)
      }
      let letters = code.prefix { $0.isUppercase || $0 == "2" }
      let digits = code.dropFirst(letters.count)
      let isEnd = ":.,)]".contains(word.dropFirst(code.count).first ?? " ")
      guard (2...7).contains(letters.count), letters.first?.isUppercase == true,
        (3...8).contains(digits.count), digits.allSatisfy(\.isNumber)
      else { continue }
      if let owner = owners.first(where: { code.hasPrefix($0.prefix) }) {
        return "\(owner.name), \(code)"
      }
      if isEnd, word.hasSuffix(":") { return String(code) }
    }
    return nil
  }

  private static let owners: [(prefix: String, name: String)] = [
    ("AADSTS", "Entra ID"), ("AADB2C", "Azure AD B2C"), ("MSIS", "AD FS"),
    ("IDX", "the identity model of .NET"), ("ACS", "Access Control Service"),
  ]
}
