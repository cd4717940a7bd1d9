/// An error number of Access Control Service, such as ACS50012: what the service answers with, and what its clients read.
public struct ACSNumber: Hashable, Sendable, CustomStringConvertible {
  /// What an error lies with.
  public enum Cause: Hashable, Sendable {
    /// The request, or the settings that it was made of.
    case request
    /// The realm or the return address of the relying party.
    case relyingParty
    /// The secret, the certificate or the assertion of a program, or its code.
    case credentials
    /// The person, who cancelled.
    case person
    /// The identity provider.
    case provider
    /// The rules, which gave no claim.
    case rules
    /// The keys of the service.
    case keys
    /// The load of the service: another try may succeed.
    case load
    /// The service.
    case service
  }

  /// What the service documented of a number.
  private struct Entry {
    let number: Int
    let status: Int
    let cause: Cause
    let meaning: String

    init(_ number: Int, _ status: Int, _ cause: Cause, _ meaning: String) {
      self.number = number
      self.status = status
      self.cause = cause
      self.meaning = meaning
    }
  }

  /// The number without its prefix, such as 50012.
  public let number: Int

  /// The number, documented or not.
  public init(_ number: Int) { self.number = number }

  /// `ACS` and the number, such as `ACS50012`.
  public var description: String { "ACS\(number)" }

  /// ACS50000: what has no other number.
  public static let other = Self(50_000)
  /// ACS50019: the person closed the provider's page.
  public static let cancelled = Self(50_019)

  /// The documented meaning in a few words; nil for an undocumented number.
  public var meaning: String? { entry?.meaning }

  /// What the error lies with; nil for an undocumented number.
  public var cause: Cause? { entry?.cause }

  /// The HTTP status with which the service answers, unless the case has another; nil for an undocumented number.
  public var status: Int? { entry?.status }

  private var entry: Entry? { Self.table[number] }

  private static let table: [Int: Entry] = Dictionary(
    documented.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })

  private static let documented = [
    Entry(10_000, 400, .request, "the SOAP message could not be processed"),
    Entry(10_001, 400, .request, "the SOAP header could not be processed"),
    Entry(10_002, 400, .request, "the SOAP body could not be processed"),
    Entry(10_003, 400, .request, "the SOAP security header could not be processed"),
    Entry(20_000, 400, .request, "the sign-in request is malformed"),
    Entry(20_001, 400, .provider, "the identity provider's sign-in response was refused"),
    Entry(20_002, 400, .service, "the metadata could not be generated"),
    Entry(20_003, 400, .request, "the metadata could not be imported"),
    Entry(30_000, 400, .provider, "the OpenID response was refused"),
    Entry(30_001, 400, .provider, "the OpenID signature was refused"),
    Entry(40_000, 400, .provider, "Facebook's response was refused"),
    Entry(40_001, 400, .provider, "Facebook gave no token"),
    Entry(50_000, 500, .service, "the token could not be issued"),
    Entry(50_001, 400, .relyingParty, "the realm is unknown"),
    Entry(50_003, 500, .keys, "there is no primary symmetric signing key"),
    Entry(50_004, 500, .keys, "there is no primary signing certificate"),
    Entry(50_005, 500, .keys, "encryption is required and there is no certificate"),
    Entry(50_006, 401, .credentials, "the signature was refused"),
    Entry(50_008, 401, .credentials, "the SAML token was refused, often because a clock is off"),
    Entry(50_009, 401, .credentials, "the Simple Web Token was refused"),
    Entry(50_010, 401, .credentials, "the audience was refused"),
    Entry(50_011, 400, .relyingParty, "the reply address is missing or does not match"),
    Entry(50_012, 401, .credentials, "the client's secret or assertion was refused"),
    Entry(50_016, 401, .credentials, "the certificate is not a configured one"),
    Entry(50_017, 401, .credentials, "the certificate is not valid"),
    Entry(50_019, 401, .person, "the person cancelled"),
    Entry(50_026, 401, .credentials, "the principal is unknown"),
    Entry(50_027, 401, .credentials, "the client's assertion was refused"),
    Entry(60_000, 500, .service, "the rules failed"),
    Entry(60_001, 401, .rules, "the rules gave no claims"),
    Entry(60_021, 503, .load, "the data store is busy"),
    Entry(70_001, 401, .credentials, "the client application is not registered"),
    Entry(70_002, 401, .credentials, "the client's credential was refused"),
    Entry(70_003, 400, .request, "the grant type is not supported"),
    Entry(70_008, 400, .credentials, "the grant has expired or was revoked"),
    Entry(90_004, 400, .request, "the request is malformed"),
    Entry(90_005, 504, .provider, "the identity provider did not answer in time"),
    Entry(90_007, 405, .request, "the method is not allowed"),
    Entry(90_011, 400, .request, "a field is missing"),
    Entry(90_046, 503, .load, "the service is busy"),
    Entry(90_055, 429, .load, "too many requests for the namespace"),
  ]
}
