public import TokenBasics

/// A request of a security check for credentials.
public struct SecurityChallenge: Sendable {
  /// The name of the check, such as `UserLogin`.
  public let securityCheck: String
  /// Why the last answer was rejected, such as `Wrong Credentials`. The check's own text.
  public let errorMessage: String?
  /// The number of attempts left before the check blocks, if the challenge has it.
  public let remainingAttempts: Int?
  /// The whole challenge as JSON text; any value, also `null`.
  public let json: [UInt8]

  init(_ name: String, _ value: JSONValue, _ body: [UInt8]) {
    securityCheck = name
    errorMessage = value["errorMsg"]?.string
    remainingAttempts = value["remainingAttempts"]?.integer
    json = Array(body[value.range])
  }
}

/// A security check will not be satisfied: no attempts are left, or the account is blocked.
public struct SecurityCheckFailure: Sendable {
  /// The name of the check, such as `UserLogin`.
  public let securityCheck: String
  /// The check's own text, if it sent any.
  public let reason: String?
  /// The check's whole failure as JSON text.
  public let json: [UInt8]

  init(_ name: String, _ value: JSONValue, _ body: [UInt8]) {
    securityCheck = name
    reason = value["failure"]?.string
    json = Array(body[value.range])
  }
}

/// A security check is satisfied.
public struct SecurityCheckSuccess: Sendable {
  /// The name of the check, such as `UserLogin`.
  public let securityCheck: String
  /// The authenticated user, if the check identifies users.
  public let user: AuthenticatedUser?
  /// The check's whole success as JSON text.
  public let json: [UInt8]

  init(_ name: String, _ value: JSONValue, _ body: [UInt8]) {
    securityCheck = name
    user = value["user"].flatMap(AuthenticatedUser.init)
    json = Array(body[value.range])
  }
}

/// The user whom a security check authenticated.
public struct AuthenticatedUser: Hashable, Sendable {
  /// The check's identifier of the user. Not empty.
  public let id: String
  /// The name for display, if the check sent one.
  public let displayName: String?
  /// The time of the authentication, by the server's clock.
  public let authenticatedAt: Instant?
  /// The name of the check that authenticated the user.
  public let authenticatedBy: String?
  /// The attributes whose values are strings.
  public let attributes: [String: String]

  init?(_ json: JSONValue) {
    guard let id = json["id"]?.string, !id.isEmpty else { return nil }
    self.id = id
    displayName = json["displayName"]?.string
    authenticatedAt = json["authenticatedAt"]?.integer.flatMap(Instant.init(milliseconds:))
    authenticatedBy = json["authenticatedBy"]?.string
    attributes = Dictionary(
      (json["attributes"]?.members ?? []).compactMap { name, value in
        value.string.map { (name, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }
}
