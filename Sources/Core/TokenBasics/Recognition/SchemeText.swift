import Octets

/// The schemes of the header field Authorization, by themselves or behind its name.
enum SchemeText {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    if isParameterised(sample.text[...]), let other = other(sample.text[...]) { return other }
    let schemes = [
      "bearer ", "bearer\t", "bearer:", "bearer%20", "dpop ", "wrap ", "oauth ", "jwt ", "saml ",
      "token ", "bearer\"",
    ]
    if let name = schemes.first(where: { sample.beginsLowercased($0) }) {
      let shown = sample.text.prefix(name.count).prefix { !" \t:%\"".contains($0) }
      return RecognisedText(.headerField, detail: String(shown), name: String(shown))
    }
    if sample.beginsLowercased("sharedaccesssignature ") || isSharedAccess(sample) {
      return RecognisedText(.otherScheme, name: "a shared access signature of Azure")
    }
    guard sample.words.count == 2 || sample.beginsLowercased("digest ") else { return nil }
    return other(sample.text[...])
  }

  /// A scheme that carries no token; nil for one that may, and for OAuth without the parameters of OAuth 1.0.
  static func other(_ value: Substring) -> RecognisedText? {
    let scheme = value.prefix { $0 != " " && $0 != "," }
    let lower = scheme.lowercased()
    if lower == "basic" { return RecognisedText(.basicCredentials, detail: "Basic") }
    guard names.contains(lower) || lower == "oauth" && isParameterised(value) else { return nil }
    return RecognisedText(
      .otherScheme, detail: String(scheme),
      name: "an Authorization header of the scheme \(scheme)"
        + (["negotiate", "ntlm"].contains(lower)
          ? ", which has a ticket of Kerberos (SPNEGO) or a message of NTLM" : ""))
  }

  /// Such a scheme in the header field of a command.
  static func inside(_ sample: TextSample) -> RecognisedText? {
    guard let field = sample.lower.firstRange(of: "authorization: ")?.upperBound else { return nil }
    // Small letters have as many bytes.
    let before = sample.lower.utf8.distance(from: sample.lower.startIndex, to: field)
    let value = Substring(sample.text.utf8.dropFirst(before)).prefix { !$0.isNewline }
    guard let found = other(value), found.kind == .otherScheme else { return nil }
    return found
  }

  private static let names: Set<String> = [
    "digest", "negotiate", "ntlm", "kerberos", "aws4-hmac-sha256", "aws4-ecdsa-p256-sha256", "aws",
    "hawk", "hoba", "mutual", "vapid", "mac", "scram-sha-256", "scram-sha-1", "signature", "gnap",
    "privatetoken", "apikey", "key", "eg1-hmac-sha256", "hmac-sha256", "sharedkey", "googlelogin",
  ]

  /// Whether pairs of a name and a value follow the scheme, as `realm="a"` and `Credential=a`; padding of base64 is at the
  /// end of its word.
  private static func isParameterised(_ value: Substring) -> Bool {
    let credentials = value.utf8.drop { $0 != ASCII.space }.drop { $0 == ASCII.space }
    let name = credentials.prefix {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "_-".utf8.contains($0)
    }
    let behind = credentials.dropFirst(name.count)
    return !name.isEmpty && name.count <= 32 && behind.first == ASCII.equals
      && behind.dropFirst().first.map { $0 != ASCII.equals && !ASCII.isWhiteSpace($0) } ?? false
  }

  private static func isSharedAccess(_ sample: TextSample) -> Bool {
    sample.words.count == 1 && sample.has("&sig=")
      && (sample.has("sv=") || sample.has("sr=") || sample.has("se="))
  }
}
