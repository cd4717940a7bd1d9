public import HTTPExchange
import Octets
public import TokenBasics

/// An Azure Mobile Services app or its successor, App Service authentication: its address and its
/// dialect.
public struct MobileService: Sendable {
  /// The paths and header fields of one of the two products.
  public enum Dialect: Sendable {
    /// Mobile Services, retired in 2016: `/login/{provider}`, an application key, no refresh.
    case mobileServices(applicationKey: Secret)
    /// App Service and Mobile Apps: `/.auth/login/{provider}` and a version, such as `2.0.0`.
    case appService(version: String)
  }

  /// The app, such as `https://talks.example.net`.
  public let origin: HTTPOrigin
  let root: HTTPURL
  /// The product that the app runs on.
  public let dialect: Dialect
  /// Made once and stored: distinguishes installations, not people.
  public let installationID: String?

  /// An app at that address.
  ///
  /// - Parameters:
  ///   - address: The app's address; only its scheme, host and port are used.
  ///   - dialect: Mobile Services or App Service.
  ///   - installationID: Identifies the installation to the service; nil for none.
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

  /// The address of a path of the sign-in, which is below `/.auth` in App Service.
  func signInURL(_ segments: String...) throws(TokenError) -> HTTPURL {
    switch dialect {
    case .mobileServices: try root.appending(segments)
    case .appService: try root.appending([".auth"] + segments)
    }
  }

  /// An address with the caller's parameters appended to its query.
  ///
  /// - Throws: `client.parameter` for a name that begins with `$` or `__`: these are reserved.
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

  /// The request with the header fields that the service expects in every request.
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

extension MobileService {
  var isAppService: Bool {
    if case .appService = dialect { true } else { false }
  }
}

/// The inner filter of a Mobile Service: adds the service's header fields and sends to its host only.
///
/// Filters are transports around transports: this one is the innermost, ``AuthorizedTransport`` wraps it, an
/// application's own wrap both. A request passes inwards, its response outwards.
public struct MobileServiceTransport: HTTPTransport {
  private let service: MobileService
  private let transport: any HTTPTransport

  /// Wraps `transport` for requests to `service`.
  public init(_ transport: any HTTPTransport, service: MobileService) {
    self.transport = transport
    self.service = service
  }

  /// The response to the request with the service's header fields.
  /// - Throws: `session.other-origin` for another origin, and errors of the transport.
  public func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    try request.require(service.origin)
    return try await transport.response(to: try service.prepared(request))
  }
}

/// An identity provider of a Mobile Service, as its paths spell it. Microsoft's own accounts are
/// `microsoftaccount`.
public struct MobileProvider: RawRepresentable, Hashable, Sendable {
  /// The provider's segment in paths, in lower case.
  public let rawValue: String

  /// Letters become lower case, and `windowsazureactivedirectory` becomes `aad`, as in the services.
  public init(rawValue: String) {
    let name = String(decoding: rawValue.utf8.map(ASCII.lowercased), as: UTF8.self)
    self.rawValue = name == "windowsazureactivedirectory" ? "aad" : name
  }

  /// `facebook`.
  public static let facebook = Self(rawValue: "facebook")
  /// `google`.
  public static let google = Self(rawValue: "google")
  /// `microsoftaccount`: personal accounts of Microsoft.
  public static let microsoftAccount = Self(rawValue: "microsoftaccount")
  /// `twitter`.
  public static let twitter = Self(rawValue: "twitter")
  /// `aad`: accounts of an organisation.
  public static let azureActiveDirectory = Self(rawValue: "aad")

  /// The hosts whose cookies keep a person signed in at this provider. To sign the person out, delete the
  /// cookies of these hosts and of the app, not all.
  public var cookieDomains: [String] {
    switch self {
    case .facebook: ["facebook.com"]
    case .google: ["accounts.google.com"]
    case .microsoftAccount: ["login.live.com", "login.microsoftonline.com"]
    case .twitter: ["twitter.com", "x.com"]
    case .azureActiveDirectory: ["login.microsoftonline.com"]
    default: []
    }
  }
}
