public import HTTPExchange
public import TokenBasics

/// Accounts of a service's own, with user name and password.
///
/// A later 401 ends the session without a prompt for the password (``Renewal/logOut``).
public struct CustomAccounts: Sendable {
  /// The endpoints of the accounts.
  public enum Backend: Sendable {
    /// A table with a script: an insert with `login=true` logs in, one without it registers.
    case table(String)
    /// Two custom APIs, as in the .NET backend.
    case apis(login: String, registration: String)

    /// `/tables/Accounts`.
    public static let accounts = Self.table("Accounts")
    /// `/api/CustomLogin` and `/api/CustomRegistration`.
    public static let customAPIs = Self.apis(
      login: "CustomLogin", registration: "CustomRegistration")
  }

  /// The result of a registration.
  public enum Registration: Sendable {
    /// The account exists; the person is signed in if the service returned a token.
    case registered(MobileUser?)
    /// The service rejected the registration, with a message for the person.
    case refused(ServerMessage)
  }

  private let service: MobileService
  private let backend: Backend

  /// The accounts of `service` at that backend.
  public init(_ service: MobileService, _ backend: Backend = .accounts) {
    self.service = service
    self.backend = backend
  }

  /// Logs in with user name and password; a rejection is an outcome.
  ///
  /// - Throws: `transport.*`, `input.json-*`.
  public func logIn(
    userName: String, password: Secret, over transport: any HTTPTransport
  ) async throws(TokenError) -> MobileSignIn {
    let url =
      switch backend {
      case .table(let name): try service.url("tables", name).adding([("login", "true")])
      case .apis(let login, _): try service.url("api", login)
      }
    let fields = AccountFields(userName: userName, password: password)
    return try await service.signIn(
      HTTPRequest(.post, url, body: Self.body(fields)), hiding: [password], over: transport)
  }

  /// Registers an account; a rejection is an outcome.
  ///
  /// - Throws: `transport.*`, `input.json-*`.
  public func register(
    _ fields: AccountFields, over transport: any HTTPTransport
  ) async throws(TokenError) -> Registration {
    let url =
      switch backend {
      case .table(let name): try service.url("tables", name)
      case .apis(_, let registration): try service.url("api", registration)
      }
    let request = HTTPRequest(.post, url, body: Self.body(fields))
    let answer: HTTPResponse
    switch try await service.answer(to: request, hiding: [fields.password], over: transport) {
    case .refused(let message): return .refused(message)
    case .accepted(let accepted): answer = accepted
    }
    if answer.body.isEmpty { return .registered(nil) }
    let json = try JSONAnswer.read(answer)
    let hasToken = json["token"] != nil || json["mobileServiceAuthenticationToken"] != nil
    return .registered(hasToken ? try MobileUser(json) : nil)
  }

  private static func body(_ fields: AccountFields) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("username", fields.userName)
      json.member("password", fields.password.revealed)
      json.member("email", fields.email)
    }
    return json.bytes
  }
}
