import ClientScript
import FederationClient
import HTTPExchange
import SecrecyTesting
import TestSupport
import Testing
import TokenBasics

@Suite("Accounts of Mobile Services")
struct AccountTests {
  static let password = Secret("p4ssw0rd-demo")

  @Test("S0 A custom log-in is an insert with the parameter login; the answer has userId and token")
  func logIn() async throws {
    let server = ScriptedServer(.json(#"{"userId":"Custom:42","token":"jwt"}"#, status: 201))
    let outcome = try await CustomAccounts(MobileFixtures.v1()).logIn(
      userName: "mia", password: Self.password, over: server)
    guard case .signedIn(let user) = outcome else {
      Issue.record("no user")
      return
    }
    #expect(user.id == "Custom:42")
    #expect(user.token.revealed == "jwt")
    let request = try #require(server.requests.first)
    #expect(request.method == .post)
    #expect(request.url.target == "/tables/Accounts?login=true")
    #expect(request.text == #"{"username":"mia","password":"p4ssw0rd-demo"}"#)
    #expect(request.fields["X-ZUMO-APPLICATION"] == MobileFixtures.key)
    #expect(request.fields["Content-Type"] == "application/json")
    #expect(request.fields["X-ZUMO-AUTH"] == nil)
  }

  @Test("S0 Other backends spell the same response in their own way")
  func backends() async throws {
    let answers = [
      #"{"userId":"custom:mia","mobileServiceAuthenticationToken":"jwt"}"#,
      #"{"user":{"userId":"custom:mia"},"authenticationToken":"jwt"}"#,
    ]
    for answer in answers {
      let server = ScriptedServer(.json(answer))
      let outcome = try await CustomAccounts(MobileFixtures.appService(), .customAPIs).logIn(
        userName: "mia", password: Self.password, over: server)
      guard case .signedIn(let user) = outcome else {
        Issue.record("no user")
        return
      }
      #expect(user.token.revealed == "jwt")
      #expect(server.requests.first?.url.target == "/api/CustomLogin")
    }
  }

  @Test("S0 Registering sends the e-mail address too, and signs in with the returned token")
  func register() async throws {
    let server = ScriptedServer(
      .json(
        #"{"id":42,"username":"mia","email":"mia@example.org","userId":"Custom:42","token":"jwt"}"#,
        status: 201))
    let fields = AccountFields(
      userName: "mia", password: Self.password, email: "mia@example.org")
    let outcome = try await CustomAccounts(MobileFixtures.v1()).register(fields, over: server)
    guard case .registered(let user?) = outcome else {
      Issue.record("no user")
      return
    }
    #expect(user.id == "Custom:42")
    let request = try #require(server.requests.first)
    #expect(request.url.target == "/tables/Accounts")
    #expect(
      request.text
        == #"{"username":"mia","password":"p4ssw0rd-demo","email":"mia@example.org"}"#)
  }

  @Test(
    "S0 The server's message is shown, in whichever of its forms it comes",
    arguments: [
      (HTTPResponse.json(#""Username already exists""#, status: 400), "Username already exists"),
      (.json(#"{"code":401,"error":"Incorrect"}"#, status: 401), "Incorrect"),
      (.json(#"{"description":"Too short"}"#, status: 400), "Too short"),
      (.json("plain text", status: 400), "plain text"), (.answer(403), "status 403"),
      (.html("<script>", status: 404), "status 404"),
      (.json(#""a\u0007b\u202Ec""#, status: 400), "a b c"),
      (.json(#""Wrong p4ssw0rd-demo""#, status: 401), "Wrong ***"),
    ])
  func messages(answer: HTTPResponse, text: String) async throws {
    let accounts = try CustomAccounts(MobileFixtures.v1())
    let fields = AccountFields(userName: "mia", password: Self.password)
    guard
      case .refused(let message) = try await accounts.register(fields, over: ScriptedServer(answer)),
      case .refused(let other) = try await accounts.logIn(
        userName: "mia", password: Self.password, over: ScriptedServer(answer))
    else {
      Issue.record("not refused")
      return
    }
    #expect(message.text == text)
    #expect(other.status == answer.status)
  }

  @Test(
    "A service that fails or limits the rate is no rejection",
    arguments: [
      (HTTPResponse.answer(503), TokenError.Code.transportStatus),
      (.json(#""Incorrect""#, status: 500), .transportStatus), (.answer(429), .clientRateLimited),
    ])
  func failures(answer: HTTPResponse, code: TokenError.Code) async throws {
    let accounts = try CustomAccounts(MobileFixtures.v1())
    let fields = AccountFields(userName: "mia", password: Self.password)
    await expect(throws: TokenError(code)) {
      try await accounts.register(fields, over: ScriptedServer(answer))
    }
    await expect(throws: TokenError(code)) {
      try await accounts.logIn(
        userName: "mia", password: Self.password, over: ScriptedServer(answer))
    }
  }

  @Test("S1 Messages about a token are recognised: expired, wrong signature, no expiration")
  func complaints() async throws {
    let words: [(String, ServerMessage.TokenProblem?)] = [
      ("The authentication token has expired.", .expired),
      ("The authentication token has an invalid signature.", .invalidSignature),
      ("The authentication token requires expiration claim.", .noExpiration), ("Else", nil),
    ]
    for (text, complaint) in words {
      let server = ScriptedServer(.json(#"{"code":401,"error":"Error: \#(text)"}"#, status: 401))
      let outcome = try await CustomAccounts(MobileFixtures.v1()).logIn(
        userName: "mia", password: Self.password, over: server)
      guard case .refused(let message) = outcome else {
        Issue.record("not refused")
        return
      }
      #expect(message.complaint == complaint)
    }
  }

  @Test("S0 Fields are checked before anything is sent, all at once")
  func validation() {
    func problems(
      _ name: String, _ password: String, _ again: String? = nil, _ email: String? = nil
    ) -> [AccountFields.Problem] {
      AccountFields(
        userName: name, password: Secret(password), repeatedPassword: again.map { Secret($0) },
        email: email
      ).problems()
    }
    #expect(problems("mia", "p4ssw0rd", "p4ssw0rd", "mia@example.org") == [])
    #expect(problems("", "") == [.userNameMissing, .passwordMissing])
    #expect(problems("m ia", "short") == [.userNameCharacters, .passwordTooShort(minimum: 8)])
    #expect(problems("mia", "p4ssw0rd", "p4ssw0rt") == [.passwordsDiffer])
    #expect(problems(String(repeating: "a", count: 65), "p4ssw0rd") == [.userNameLength(1...64)])
    for email in ["mia", "@example.org", "mia@", "a@b@c.d", "a@.de", "a@de.", "a b@c.d"] {
      #expect(problems("mia", "p4ssw0rd", nil, email) == [.emailMalformed], "\(email)")
    }
    var rules = AccountFields.Rules()
    rules.passwordMinimum = 12
    let fields = AccountFields(userName: "mia", password: Secret("p4ssw0rd"))
    #expect(fields.problems(rules) == [.passwordTooShort(minimum: 12)])
  }

  @Test("S0 A provider's own token is exchanged with its library's fields")
  func clientFlow() async throws {
    let cases: [(ProviderCredential, String, String)] = [
      (.facebook(accessToken: Secret("f")), "facebook", #"{"access_token":"f"}"#),
      (.google(idToken: Secret("i")), "google", #"{"id_token":"i"}"#),
      (
        .google(
          idToken: Secret("i"), accessToken: Secret("a"), authorizationCode: Secret("c")), "google",
        #"{"id_token":"i","access_token":"a","authorization_code":"c"}"#
      ),
      (
        .microsoftAccount(accessToken: nil, authenticationToken: Secret("l")), "microsoftaccount",
        #"{"authenticationToken":"l"}"#
      ),
      (
        .twitter(accessToken: Secret("t"), accessTokenSecret: Secret("s")), "twitter",
        #"{"access_token":"t","access_token_secret":"s"}"#
      ),
      (.azureActiveDirectory(accessToken: Secret("a")), "aad", #"{"access_token":"a"}"#),
    ]
    for (credential, path, body) in cases {
      let server = ScriptedServer(
        .json(#"{"user":{"userId":"x"},"authenticationToken":"t"}"#))
      _ = try await MobileFixtures.v1().signIn(with: credential, over: server)
      _ = try await MobileFixtures.appService().signIn(with: credential, over: server)
      #expect(server.requests.map(\.url.path) == ["/login/\(path)", "/.auth/login/\(path)"])
      #expect(server.requests.map(\.text) == [body, body])
    }
  }

  @Test("RP-2 A log-in that is redirected is an error, and the password is not sent on")
  func redirect() async throws {
    let server = ScriptedServer(.answer(307, [("Location", "https://evil.example/")]))
    let accounts = try CustomAccounts(MobileFixtures.v1())
    await expect(throws: TokenError(.transportRedirect)) {
      try await accounts.logIn(userName: "mia", password: Self.password, over: server)
    }
    #expect(server.requests.count == 1)
  }

  @Test(
    "RP-18 A log-in response that violates its protocol is rejected",
    arguments: [
      #"{"userId":"a","userId":"b","token":"t"}"#, #"{"userId":7,"token":"t"}"#,
      #"{"userId":"a"}"#, #"{"userId":"a","token":""}"#, "[]", "<html>", "",
    ])
  func malformed(body: String) async throws {
    let accounts = try CustomAccounts(MobileFixtures.v1())
    let error = await expect(throws: TokenError.self) {
      try await accounts.logIn(
        userName: "mia", password: Self.password, over: ScriptedServer(.json(body)))
    }
    #expect(["transport", "input"].contains(error?.code.family))
  }
}
