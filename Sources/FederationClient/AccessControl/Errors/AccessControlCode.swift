import TokenErrors

/// An error number of Access Control Service, such as ACS50012.
public struct AccessControlCode: Hashable, Sendable, CustomStringConvertible {
  /// The number without its prefix, such as 50012.
  public let number: Int

  /// The code with that number, documented or not.
  public init(_ number: Int) { self.number = number }

  /// `ACS` and the number, such as `ACS50012`.
  public var description: String { "ACS\(number)" }

  /// ACS50019: the person closed the provider's page.
  public static let cancelled = Self(50_019)

  /// The documented meaning in a few words; nil for an undocumented code.
  public var meaning: String? { entry?.meaning }

  /// The error code of the client for this number. It selects the message only; whether a retry makes sense
  /// depends on the HTTP status.
  var cause: TokenError.Code? { entry?.cause }

  private var entry: (meaning: String, cause: TokenError.Code)? { Self.table[number] }

  private static let table: [Int: (meaning: String, cause: TokenError.Code)] = [
    10_000: ("the SOAP message could not be processed", .clientRequestRefused),
    10_001: ("the SOAP header could not be processed", .clientRequestRefused),
    10_002: ("the SOAP body could not be processed", .clientRequestRefused),
    10_003: ("the SOAP security header could not be processed", .clientRequestRefused),
    20_000: ("the sign-in request is malformed", .clientRequestRefused),
    20_001: ("the identity provider's sign-in response was refused", .clientProviderFailed),
    20_002: ("the metadata could not be generated", .clientServiceFailed),
    20_003: ("the metadata could not be imported", .clientRequestRefused),
    30_000: ("the OpenID response was refused", .clientProviderFailed),
    30_001: ("the OpenID signature was refused", .clientProviderFailed),
    40_000: ("Facebook's response was refused", .clientProviderFailed),
    40_001: ("Facebook gave no token", .clientProviderFailed),
    50_000: ("the token could not be issued", .clientServiceFailed),
    50_001: ("the realm is unknown", .clientRelyingParty),
    50_003: ("there is no primary symmetric signing key", .clientServiceKey),
    50_004: ("there is no primary signing certificate", .clientServiceKey),
    50_005: ("encryption is required and there is no certificate", .clientServiceKey),
    50_006: ("the signature was refused", .clientCredentials),
    50_008: ("the SAML token was refused, often because a clock is off", .clientCredentials),
    50_009: ("the Simple Web Token was refused", .clientCredentials),
    50_010: ("the audience was refused", .clientCredentials),
    50_011: ("the reply address is missing or does not match", .clientRelyingParty),
    50_012: ("the client's secret or assertion was refused", .clientCredentials),
    50_016: ("the certificate is not a configured one", .clientCredentials),
    50_017: ("the certificate is not valid", .clientCredentials),
    50_019: ("the person cancelled", .sessionCancelled),
    50_026: ("the principal is unknown", .clientCredentials),
    50_027: ("the client's assertion was refused", .clientCredentials),
    60_000: ("the rules failed", .clientServiceFailed),
    60_001: ("the rules gave no claims", .clientNoClaims),
    60_021: ("the data store is busy", .clientServiceBusy),
    70_001: ("the client application is not registered", .clientCredentials),
    70_002: ("the client's credential was refused", .clientCredentials),
    70_003: ("the grant type is not supported", .clientRequestRefused),
    70_008: ("the grant has expired or was revoked", .clientCredentials),
    90_004: ("the request is malformed", .clientRequestRefused),
    90_005: ("the identity provider did not answer in time", .clientProviderFailed),
    90_007: ("the method is not allowed", .clientRequestRefused),
    90_011: ("a field is missing", .clientRequestRefused),
    90_046: ("the service is busy", .clientServiceBusy),
    90_055: ("too many requests for the namespace", .clientServiceBusy),
  ]

  /// The codes in a text, in order: `ACS` and exactly five digits, each once.
  static func all(in text: String) -> [Self] {
    var codes: [Self] = []
    let octets = Array(text.utf8)
    let digit = { (octet: UInt8) in octet >= 0x30 && octet <= 0x39 }
    for start in octets.indices.dropLast(7) where octets[start...].starts(with: "ACS".utf8) {
      let digits = octets[(start + 3)..<(start + 8)]
      let next = start + 8 < octets.count ? octets[start + 8] : 0
      guard digits.allSatisfy(digit), !digit(next) else { continue }
      let code = Self(digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
      if !codes.contains(code) { codes.append(code) }
    }
    return codes
  }
}
