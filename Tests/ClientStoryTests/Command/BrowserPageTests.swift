#if Client
  import AccessControlCore
  import Federation
  import FederationNetwork
  import Foundation
  import HTTPExchange
  import TestSupport
  import Testing
  import TokenBasics

  @Suite("The page that the browser shows after a sign-in")
  struct BrowserPageTests {
    static let issuer = "https://acs.example.org/"
    static let realm = "uri:talks.example.org"

    /// A Simple Web Token in a `wresult`, assembled pair by pair.
    static func wresult(
      audience: String = realm, ends: Int = 1_893_456_000, key: [UInt8] = Array(0...31)
    ) throws -> String {
      let claims = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier"
      let signed = [
        (claims, "100004711"), ("Audience", audience), ("ExpiresOn", "\(ends)"), ("Issuer", issuer),
      ].map { encoded($0) + "=" + encoded($1) }.joined(separator: "&")
      let code = try #require(
        try SymmetricKey(bytes: key).authenticate(signed.utf8.span, with: .sha256))
      let token = signed + "&HMACSHA256=" + encoded(Data(code).base64EncodedString())
      let type = TokenEnvelope.swtType
      return TokenEnvelope.response(
        TokenEnvelope.binaryToken(token.utf8, type: type), type: type)
    }

    private static func encoded(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static func post(
      _ fields: [(String, String)], to address: String
    ) async throws -> (status: Int, text: String) {
      let transport = try AsyncHTTPClientTransport()
      let body = fields.map { encoded($0) + "=" + encoded($1) }.joined(separator: "&")
      let answer = try await transport.response(
        to: HTTPRequest(
          .post, try HTTPURL(address),
          fields: try HTTPFields([("Content-Type", "application/x-www-form-urlencoded")]),
          body: Array(body.utf8)))
      await transport.shutdown()
      return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }

    /// Runs `sign-in`; the browser posts each of the forms in turn.
    static func signIn(
      _ forms: @escaping @Sendable (_ context: String) throws -> [[(String, String)]]
    ) async throws -> (pages: [(status: Int, text: String)], outcome: ClientTool.Outcome) {
      let pages = Mutexed<[(status: Int, text: String)]>([])
      let outcome = Mutexed<ClientTool.Outcome?>(nil)
      try await SignInCommandTests.tool { tool, store in
        _ = try tool.file("acs.key", Base64.encode(Array(0...31)))
        let trust = try tool.file(
          "trust.json",
          #"""
          {"audiences":["\#(realm)"],
           "issuers":[{"name":"\#(issuer)","keys":["hmac-file:acs.key"],"formats":["swt"]}]}
          """#)
        let visit = Mutexed<Task<Void, any Error>?>(nil)
        let ended = try await tool.run(
          [
            "sign-in", "acs", "--server", issuer, "--realm", realm, "--trust", trust, "--timeout",
            "600", "--provider", "Facebook-1234567890",
          ] + store,
          hear: { address in
            let task = Task {
              let query = URLComponents(string: address)?.queryItems ?? []
              let back = query.first { $0.name == "wreply" }?.value ?? ""
              let context = query.first { $0.name == "wctx" }?.value ?? ""
              for form in try forms(context) {
                let page = try await post(form, to: back)
                pages.withLock { $0.append(page) }
              }
            }
            visit.withLock { $0 = task }
          })
        try await visit.current?.value
        outcome.withLock { $0 = ended }
      }
      return (pages.current, try #require(outcome.current))
    }

    static func token(_ wresult: String, _ context: String) -> [(String, String)] {
      [("wa", "wsignin1.0"), ("wresult", wresult), ("wctx", context)]
    }

    @Test("The page reports success after the token was verified")
    func success() async throws {
      let (pages, outcome) = try await Self.signIn { [Self.token(try Self.wresult(), $0)] }
      #expect(outcome.status == 0, "\(outcome.talk)")
      #expect(pages.map(\.status) == [200])
      #expect(pages.first?.text.contains("You are signed in") == true)
    }

    @Test(
      "The page reports the error of a token, with its code and status 4xx",
      arguments: ["bad MAC", "other audience", "expired", "no token"])
    func refusals(_ fault: String) async throws {
      let (pages, outcome) = try await Self.signIn { context in
        let wresult =
          switch fault {
          case "bad MAC": try Self.wresult(key: [UInt8](repeating: 1, count: 32))
          case "other audience": try Self.wresult(audience: "uri:somebody.example.org")
          case "expired": try Self.wresult(ends: 1_600_000_000)
          default: "<nothing/>"
          }
        return [Self.token(wresult, context)]
      }
      let code = try #require(outcome.code)
      #expect(outcome.status == 1)
      #expect(pages.map(\.status) == [400])
      let page = try #require(pages.first?.text)
      #expect(page.contains(code))
      #expect(!page.contains("You are signed in"))
      #expect(!page.contains("100004711") && !page.contains("somebody.example.org"))
    }

    @Test("The page reports the service's error, and the person's cancellation")
    func serviceFailures() async throws {
      for (number, code) in [("ACS50019", "session.cancelled"), ("ACS60001", "client.")] {
        let (pages, outcome) = try await Self.signIn { context in
          [
            [
              (
                "ErrorDetails",
                #"{"context":"\#(context)","httpReturnCode":401,"errors":[{"errorCode":"\#(number)","errorMessage":"<b>"}]}"#
              )
            ]
          ]
        }
        #expect(outcome.code?.hasPrefix(code) == true)
        #expect(pages.map(\.status) == [400])
        #expect(pages.first?.text.contains(outcome.code ?? "?") == true)
        #expect(pages.first?.text.contains("<b>") == false)
      }
    }

    @Test("A response to another sign-in is reported at once and ends nothing")
    func foreignState() async throws {
      let (pages, outcome) = try await Self.signIn { context in
        let wresult = try Self.wresult()
        return [Self.token(wresult, "another"), Self.token(wresult, context)]
      }
      #expect(outcome.status == 0, "\(outcome.talk)")
      #expect(pages.map(\.status) == [400, 200])
      #expect(pages.first?.text.contains("client.state") == true)
      #expect(outcome.talk.contains("client.state"))
    }
  }
#endif
