import Octets

/// Addresses, by their scheme and by the names of their fields.
enum AddressText {
  /// - Parameter sample: One word that begins with a scheme.
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    let words = sample.words
    if words.count > 1, words.count <= 256, words.count == sample.lines.count,
      words.allSatisfy({ isRemote(String($0)) })
    {
      return RecognisedText(.address, name: "\(words.count) addresses, one on each line")
    }
    guard words.count == 1, !sample.beginsLowercased("urn:uuid:") else { return nil }
    if let row = schemes.first(where: { sample.beginsLowercased($0.beginning) }) {
      return RecognisedText(row.kind, name: row.name)
    }
    guard let scheme = scheme(sample) else { return nil }
    if hasPassword(sample) {
      return RecognisedText(.credentials, name: "an address with a name and password in it")
    }
    guard scheme == "http" || scheme == "https" else {
      return RecognisedText(
        .address, name: "an address of the scheme \(TokenError.excerpt(scheme))")
    }
    if sample.has("?code=") || sample.has("&code=") {
      return RecognisedText(.authorizationCode, name: "an address with an authorization code")
    }
    if let error = ["?error=", "&error=", "#error="].lazy.compactMap({
      sample.text.firstRange(of: $0)
    })
    .first {
      let code = sample.text[error.upperBound...].prefix { $0 != "&" }
      return RecognisedText(
        .errorAnswer,
        name: "an address with an error of a server (\(TokenError.excerpt(String(code))))")
    }
    if let row = requests.first(where: { row in row.fields.allSatisfy { sample.has($0) } }) {
      return RecognisedText(.signInRequest, name: row.name)
    }
    if sample.has("/.well-known/open") || sample.has("/.well-known/oauth-") {
      return RecognisedText(.address, detail: "openID", name: "the address of a discovery document")
    }
    return RecognisedText(.address, name: "an address without a field that holds a token")
  }

  /// Whether it names what is at an address, so that no file of this name is meant.
  static func isRemote(_ name: String) -> Bool {
    ["http://", "https://"].contains { name.lowercased().hasPrefix($0) }
  }

  private static let schemes: [(beginning: String, kind: TextKind, name: String)] = [
    ("otpauth:", .credentials, "the secret of one-time passwords (otpauth:)"),
    ("otpauth-migration:", .credentials, "secrets of one-time passwords (otpauth-migration:)"),
    ("file:", .path, "the address of a file (file:)"),
    ("data:image/", .picture, "a picture in a data: address"),
    ("openid4vp:", .signInRequest, "a request to a wallet (openid4vp:)"),
    ("openid-credential-offer:", .signInRequest, "an offer to a wallet (openid-credential-offer:)"),
    ("haip:", .signInRequest, "a request to a wallet (haip:)"),
    ("eudi-", .signInRequest, "a request to a wallet"),
    ("mdoc:", .signInRequest, "a request to a wallet (mdoc:)"),
    ("did:", .principal, "a decentralized identifier (did:)"),
    ("spiffe://", .principal, "a SPIFFE ID"), ("arn:", .principal, "a resource name of AWS (ARN)"),
    ("urn:", .principal, "a URN"), ("mailto:", .principal, "an address of mail"),
    ("acct:", .principal, "an account name (acct:)"),
  ]

  private static let requests: [(fields: [String], name: String)] = [
    (["response_type=", "client_id="], "a request for authorization (OAuth 2.0, OpenID Connect)"),
    (["request_uri=", "client_id="], "a request for authorization (OAuth 2.0, OpenID Connect)"),
    (["wa=wsignin"], "a sign-in request of WS-Federation"),
    (["wa=wsignout"], "a sign-out request of WS-Federation"),
    (["user_code="], "the address at which a person confirms a device"),
  ]

  /// The letters before `://`.
  private static func scheme(_ sample: TextSample) -> String? {
    let name = sample.octets.prefix(40).prefix {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "+.-:".utf8.contains($0)
    }
    guard name.first.map(ASCII.isLetter) ?? false, name.last == UInt8(ascii: ":"),
      sample.octets.dropFirst(name.count).starts(with: "//".utf8)
    else { return nil }
    return String(decoding: name.dropLast(), as: UTF8.self).lowercased()
  }

  /// Whether a name and a password stand before the host.
  private static func hasPassword(_ sample: TextSample) -> Bool {
    guard let start = sample.octets.firstRange(ofBytes: "://")?.upperBound else { return false }
    let authority = sample.octets[start...].prefix { !"/?#".utf8.contains($0) }
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return false }
    return authority[..<at].contains(UInt8(ascii: ":"))
  }
}
