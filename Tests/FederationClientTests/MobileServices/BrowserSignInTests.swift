import ClientScript
import FederationClient
import Foundation
import HTTPExchange
import SecrecyTesting
import Testing
import TokenBasics

@Suite("Browser sign-in at Mobile Services")
struct BrowserSignInTests {
  static let done = "https://talks.example.net/login/done"
  static let token =
    done
    + "#token=%7B%22user%22%3A%7B%22userId%22%3A%22Facebook%3A100004711%22%7D%2C%22authenticationToken%22%3A%22eyJ.a%2Bb.b%22%7D"

  static func flow(_ provider: MobileProvider = .facebook) throws -> BrowserSignIn {
    try BrowserSignIn(MobileFixtures.v1(), by: provider)
  }

  @Test(
    "S0 Every provider has its path, Microsoft's under its own name",
    arguments: [
      ("facebook", "facebook"), ("google", "google"), ("twitter", "twitter"),
      ("MicrosoftAccount", "microsoftaccount"), ("aad", "aad"),
      ("WindowsAzureActiveDirectory", "aad"),
    ])
  func start(name: String, path: String) throws {
    let provider = MobileProvider(rawValue: name)
    let v1 = try BrowserSignIn(MobileFixtures.v1(), by: provider)
    #expect(v1.start.text == "https://talks.example.net/login/\(path)")
    let appService = try BrowserSignIn(MobileFixtures.appService(), by: provider)
    #expect(
      appService.start.text
        == "https://talks.example.net/.auth/login/\(path)?session_mode=token")
  }

  @Test("S0 The end address contains the user's id and token; a plus sign is literal")
  func signedIn() throws {
    guard case .signedIn(let user) = try Self.flow().answer(in: Self.token) else {
      Issue.record("no user")
      return
    }
    #expect(user.id == "Facebook:100004711")
    #expect(user.token.revealed == "eyJ.a+b.b")
  }

  @Test("The token of an address is tested at the service before it gives a session")
  func tried() async throws {
    let server = MobileFixtures.server(taking: "eyJ.a+b.b")
    let flow = try Self.flow()
    func end(_ address: String) async throws -> MobileSignIn? {
      try await flow.outcome(ofNavigationTo: address, tryingAt: "TodoItem", over: server)
    }
    #expect(try await end("https://www.facebook.com/dialog") == nil)
    #expect(server.requests.isEmpty)
    guard case .signedIn(let user) = try await end(Self.token) else {
      Issue.record("no user")
      return
    }
    #expect(user.id == "Facebook:100004711")
    #expect(server.requests.map(\.url.path) == ["/tables/TodoItem"])
    let planted = Self.token.replacing("eyJ.a", with: "eyJ.x")
    guard case .refused(let message) = try await end(planted) else {
      Issue.record("a token that the service never gave out")
      return
    }
    #expect(message.text == "The authentication token has expired.")
  }

  @Test(
    "A response that does not depend on the token is no sign-in",
    arguments: [
      (404, TokenError(.clientParameter)), (403, TokenError(.clientParameter)),
      (302, TokenError(.transportRedirect)), (429, TokenError(.clientRateLimited)),
      (503, TokenError(.transportStatus)),
    ])
  func untried(status: Int, error: TokenError) async throws {
    let server = ScriptedServer(.answer(status))
    await expect(throws: error) {
      try await Self.flow().outcome(
        ofNavigationTo: Self.token, tryingAt: "TodoItem", over: server)
    }
  }

  @Test(
    "A user of another provider than the chosen one is not signed in",
    arguments: [
      (MobileProvider.google, "client.other-provider"), (.twitter, "client.other-provider"),
      (.facebook, nil),
    ] as [(MobileProvider, String?)])
  func otherProvider(provider: MobileProvider, code: String?) async throws {
    var codes: [String?] = []
    do {
      _ = try Self.flow(provider).answer(in: Self.token)
      codes.append(nil)
    } catch let error as TokenError {
      codes.append(error.code.rawValue)
    }
    let credential: ProviderCredential =
      switch provider {
      case .google: .google(idToken: Secret("sesame"))
      case .twitter: .twitter(accessToken: Secret("a"), accessTokenSecret: Secret("b"))
      default: .facebook(accessToken: Secret("sesame"))
      }
    let server = ScriptedServer(
      .json(#"{"user":{"userId":"Facebook:1"},"authenticationToken":"t"}"#))
    do {
      _ = try await MobileFixtures.v1().signIn(with: credential, over: server)
      codes.append(nil)
    } catch let error as TokenError {
      codes.append(error.code.rawValue)
    }
    #expect(codes == [code, code])
  }

  @Test("S0 The end address may contain an error instead, for the person")
  func refused() throws {
    let address =
      Self.done + "#error=Error%3A%20Logging%20in%20with%20facebook%20is%20not%20enabled."
    guard case .refused(let message) = try Self.flow().answer(in: address) else {
      Issue.record("no refusal")
      return
    }
    #expect(message.text == "Error: Logging in with facebook is not enabled.")
  }

  @Test(
    "S0 Anything but the exact end address continues the sign-in",
    arguments: [
      "https://talks.example.net/login/facebook?code=1", "https://talks.example.net/login/donexyz",
      "https://talks.example.net/login/done/x", "https://talks.example.net.evil/login/done",
      "https://talks.example.net:8443/login/done", "http://talks.example.net/login/done",
      "https://evil.example/login/done", "https://talks.example.net/LOGIN/done", "about:blank",
      "https://talks.example.net@evil.example/login/done", "",
    ])
  func goesOn(address: String) throws {
    let fragment = String(Self.token.drop { $0 != "#" })
    #expect(try Self.flow().answer(in: address + fragment) == nil)
  }

  @Test(
    "S0 An end address without a token or an error is rejected",
    arguments: [
      "", "#", "#token=", "#token=%7B%7D", "#token=%ZZ", "#token=[]", "#x=1",
      "#token=%7B%22user%22%3A%7B%22userId%22%3A7%7D%2C%22authenticationToken%22%3A%22t%22%7D",
      "#token=%7B%22user%22%3A%7B%7D%2C%22authenticationToken%22%3A%22t%22%7D",
      "#token=%7B%22user%22%3A%7B%22userId%22%3A%22a%22%7D%7D",
      "#token=%7B%22user%22%3A%7B%22userId%22%3A%22a%22%2C%22userId%22%3A%22b%22%7D%2C%22authenticationToken%22%3A%22t%22%7D",
    ])
  func malformed(fragment: String) throws {
    let error = expect(throws: TokenError.self) {
      try Self.flow().answer(in: Self.done + fragment)
    }
    #expect(["transport", "input"].contains(error?.code.family))
  }

  @Test("A parameter with a name of the service's own is refused")
  func parameters() throws {
    for name in ["$top", "__x", ""] {
      expect(throws: TokenError(.clientParameter)) {
        try BrowserSignIn(MobileFixtures.v1(), by: .google, parameters: [(name, "1")])
      }
    }
    let flow = try BrowserSignIn(
      MobileFixtures.appService(), by: .google, parameters: [("display", "a b")])
    #expect(flow.start.query == "session_mode=token&display=a%20b")
  }

  @Test("S0 The proof key of App Service is padded base64 inside a query (TV-12)")
  func proofKey() async throws {
    // 32 octets from 0x20 on, as in the vector.
    let random = RandomSource { (0..<UInt8($0)).map { $0 + 0x20 } }
    let flow = try EasyAuthSignIn(
      MobileFixtures.appService(), by: .azureActiveDirectory, scheme: "talks", random: random)
    #expect(
      flow.start.query
        == "session_mode=token&post_login_redirect_url=talks%3A%2F%2Feasyauth.callback"
        + "&code_challenge=uRn9aO%2Bq3ZLJ%2BWSCwUd6KAg%2BlKk%2Fp%2BEL5iN8qCTCKgY%3D"
        + "&code_challenge_method=S256")
    let server = ScriptedServer(
      .json(#"{"user":{"userId":"sid:ab"},"authenticationToken":"t"}"#))
    let outcome = try await flow.finish(
      "talks://easyauth.callback?authorization_code=a%2Bb", over: server)
    guard case .signedIn(let user) = outcome else {
      Issue.record("no user")
      return
    }
    #expect(user.id == "sid:ab")
    let request = try #require(server.requests.first)
    #expect(request.url.path == "/.auth/login/aad/token")
    #expect(
      request.query == [
        "authorization_code": "a+b",
        "code_verifier": "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=",
      ])
    #expect(request.fields["ZUMO-API-VERSION"] == "2.0.0")
  }

  @Test(
    "RP-12 Another callback, no code, two codes or a code beside an error is refused",
    arguments: [
      "evil://easyauth.callback?authorization_code=1", "talks://easyauth.callback.evil?a=1",
      "talks://easyauth.callback", "talks://easyauth.callback?authorization_code=",
      "talks://easyauth.callback?authorization_code=1&authorization_code=2",
      "talks://easyauth.callback?authorization_code=1&error=x",
    ])
  func callback(address: String) async throws {
    let flow = try EasyAuthSignIn(MobileFixtures.appService(), by: .google, scheme: "talks")
    let server = ScriptedServer(.answer(500))
    let error = await expect(throws: TokenError.self) {
      try await flow.finish(address, over: server)
    }
    #expect(error?.code.family == "client")
    #expect(server.requests.isEmpty)
  }

  @Test("http and https are no scheme of an app")
  func scheme() throws {
    for scheme in ["https", "http", "", "a b", "1a", "a:/"] {
      expect(throws: TokenError(.clientParameter)) {
        try EasyAuthSignIn(MobileFixtures.appService(), by: .google, scheme: scheme)
      }
    }
  }
}
