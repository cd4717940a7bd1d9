public import HTTPExchange
public import TokenErrors

/// An Azure Mobile Services app or its successor, App Service authentication: where it is and which
/// dialect it speaks.
public struct MobileService: Sendable {
  public enum Dialect: Sendable {
    /// Mobile Services, retired in 2016: `/login/{provider}`, an application key, no refresh.
    case mobileServices(applicationKey: Secret)
    /// App Service and Mobile Apps: `/.auth/login/{provider}` and a version, such as `2.0.0`.
    case appService(version: String)
  }

  /// The app, such as `https://talks.example.net`.
  public let origin: HTTPOrigin
  let root: HTTPURL
  public let dialect: Dialect
  /// Made once and kept: tells installations apart, not people.
  public let installationID: String?

  /// - Parameter address: The app's address; only its scheme, host and port count.
  /// - Throws: `transport.malformed-address`.
  public init(
    at address: HTTPURL, _ dialect: Dialect, installationID: String? = nil
  ) throws(TokenError) {
    root = try address.at(path: "/")
    origin = address.origin
    self.dialect = dialect
    self.installationID = installationID
  }

  /// The address of a path of the app, each segment encoded.
  func url(_ segments: String...) throws(TokenError) -> HTTPURL { try root.appending(segments) }

  /// The address of a path of the sign-in, which moved below `/.auth`.
  func signInURL(_ segments: String...) throws(TokenError) -> HTTPURL {
    switch dialect {
    case .mobileServices: try root.appending(segments)
    case .appService: try root.appending([".auth"] + segments)
    }
  }

  /// An address with parameters of the caller's own, properly joined to a query that is there.
  ///
  /// - Throws: `client.parameter` for a name that begins with `$` or `__`: those are the service's.
  public func adding(
    _ parameters: [(String, String)], to url: HTTPURL
  ) throws(TokenError) -> HTTPURL {
    for (name, _) in parameters where name.hasPrefix("$") || name.hasPrefix("__") || name.isEmpty {
      throw TokenError(
        .clientParameter, node: TokenError.excerpt(name),
        expected: "a name that does not begin with $ or __")
    }
    return url.adding(parameters)
  }

  /// The request with the header fields that the service wants to see from everybody.
  /// - Throws: `transport.malformed-field`.
  func prepared(_ request: HTTPRequest) throws(TokenError) -> HTTPRequest {
    var request = request
    switch dialect {
    case .mobileServices(let key):
      try request.fields.set("X-ZUMO-APPLICATION", key.revealed)
    case .appService(let version):
      try request.fields.set("ZUMO-API-VERSION", version)
    }
    if let installationID {
      try request.fields.set("X-ZUMO-INSTALLATION-ID", installationID)
    }
    try request.fields.set("X-ZUMO-VERSION", Self.software)
    try request.fields.set("User-Agent", Self.software)
    try request.fields.set("Accept", "application/json")
    if !request.body.isEmpty, request.fields["Content-Type"] == nil {
      try request.fields.set("Content-Type", "application/json")
    }
    return request
  }

  #if os(Linux)
    private static let system = "Linux"
  #else
    private static let system = "Darwin"
  #endif
  private static let software = "ZUMO/1.3 (lang=Swift; os=\(system); version=1.3.0)"
}
