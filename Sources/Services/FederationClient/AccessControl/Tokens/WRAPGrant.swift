public import Federation
public import HTTPExchange
public import TokenBasics

/// What a client exchanges for a token by OAuth WRAP 0.9.
public enum WRAPGrant: Sendable {
  /// The name of a service identity and its password or base64 key.
  case password(name: String, password: Secret)
  /// A Simple Web Token that the client signed itself.
  case swtAssertion(Secret)
  /// A SAML assertion.
  case samlAssertion(Secret)

  /// A Simple Web Token about the service identity of that name, signed with its key. It ends five minutes after `now`
  /// and is good for one request: a service that uses assertions once needs the end, and tells two of one second apart
  /// by a number of their own.
  /// - Throws: `policy.mint-empty`, `policy.mint-character`, `key.hmac-length`,
  ///   `policy.mint-signature`.
  public static func selfSigned(
    issuer: String, key: SymmetricKey, at now: Instant
  ) throws(TokenError) -> WRAPGrant {
    try TokenDraft.checkName(issuer, "issuer")
    guard key.byteCount >= 32 else {
      throw TokenError(
        .hmacKeyLength, expected: "32 bytes or more", found: "\(key.byteCount) bytes")
    }
    let signed =
      "Issuer=" + FormEncoding.encode(issuer)
      + "&ExpiresOn=\(now.advanced(bySeconds: 300).seconds)&id=" + RandomSource().hex(16)
    guard let mac = key.authenticate(signed.utf8.span, with: .sha256) else {
      throw TokenError(.mintSignature, node: "HMACSHA256")
    }
    return .swtAssertion(
      Secret(signed + "&HMACSHA256=" + FormEncoding.encode(Base64.encode(mac))))
  }

  func fields(_ service: AccessControlService) -> [(name: String, value: String)] {
    let scope = (name: "wrap_scope", value: service.realm)
    switch self {
    case .password(let name, let password):
      return [("wrap_name", name), ("wrap_password", password.revealed), scope]
    case .swtAssertion(let assertion):
      return [
        ("wrap_assertion_format", "SWT"), ("wrap_assertion", assertion.revealed), scope,
      ]
    case .samlAssertion(let assertion):
      return [
        ("wrap_assertion_format", "SAML"), ("wrap_assertion", assertion.revealed), scope,
      ]
    }
  }

  var secrets: [Secret] {
    switch self {
    case .password(_, let secret), .swtAssertion(let secret), .samlAssertion(let secret): [secret]
    }
  }
}

/// The response of the WRAP endpoint: a form, decoded exactly once.
struct WRAPAnswer {
  let token: [UInt8]
  /// Seconds; nil if the response has none.
  let lifetime: Int64?

  /// - Throws: `client.content-type`, `client.duplicate-parameter`, `client.malformed-form`,
  ///   `client.parameter`.
  init(_ response: HTTPResponse) throws(TokenError) {
    guard FormReader.isForm(response.fields["Content-Type"]) else {
      throw TokenError(.clientContentType, expected: FormReader.mediaType)
    }
    let form = try FormReader(response.body)
    token = Array(try form.require("wrap_access_token").utf8)
    // Some servers misspell the name.
    let names = ["wrap_access_token_expires_in", "wrap_acess_token_expires_in"]
    guard let text = names.lazy.compactMap({ form[$0] }).first else {
      lifetime = nil
      return
    }
    guard text.utf8.count <= 10, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      let seconds = Int64(text), seconds > 0
    else {
      throw TokenError(
        .clientParameter, node: "wrap_access_token_expires_in", expected: "seconds")
    }
    lifetime = seconds
  }
}
