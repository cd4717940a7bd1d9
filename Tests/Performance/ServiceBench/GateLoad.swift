#if Server
  import FederationNetwork
  import Foundation
  import GateService
  import IdentityProviderTesting
  import SQLiteSessions
  import TestSupport

  /// What `gate_load.py` does to a running `claims-gate`: whole SAML sign-ins, and checks of many sessions.
  struct GateLoad {
    let origin: HTTPURL
    let idp: IdentityProviderSimulator
    let transport: AsyncHTTPClientTransport

    init() throws {
      origin = try HTTPURL("http://127.0.0.1:18380/")
      idp = try IdentityProviderSimulator()
      transport = try AsyncHTTPClientTransport()
    }

    /// Writes the metadata of the simulated provider.
    func writeMetadata(_ path: String) throws {
      let document = try IdentityProviderMetadata(
        entityID: idp.entityID, certificates: [idp.certificate], signOn: "https://idp.example/sso"
      ).document()
      try Data(document).write(to: URL(filePath: path))
    }

    /// Puts sessions into the gate's file, and their cookies into another one.
    func writeSessions(_ count: Int, store path: String, cookies: String) async throws {
      let store = try SQLiteSessionStore(path: path)
      let now = SystemTime().now
      var lines = ""
      for number in 0..<count {
        let (id, cookie) = SessionID.make()
        let claims = ClaimSet([
          Claim(.emailAddress, "person\(number)@idp.example"), Claim(.role, "user"),
          Claim(.name, "Person \(number)"),
        ])
        let principal = FederatedPrincipal(
          issuer: idp.entityID, subject: "person\(number)", claims: claims, format: .saml20,
          issuerSession: IssuerSession(), warnings: [])
        try await store.insert(
          SignedInSession(
            principal: principal, provider: "idp", begun: now,
            end: now.advanced(bySeconds: 28_800), lastUse: now), id)
        lines += cookie.revealed + "\n"
      }
      try Data(lines.utf8).write(to: URL(filePath: cookies))
    }

    /// Asks for each cookie once, fifty at a time.
    func check(_ cookies: [String]) async throws {
      _ = try await all(cookies.count) { number in
        try await expect(200, of: request("check", [("Cookie", "session=" + cookies[number])]))
      }
    }

    /// Signs in, fifty people at a time; prints rate and latencies of what the gate answered.
    ///
    /// - Parameter rate: Sign-ins a second at most; nil for as many as there can be.
    func signIn(_ count: Int, rate: Int? = nil) async throws {
      let begun = ContinuousClock.now
      let times = try await all(count) { number in
        if let rate { try await Task.sleep(until: begun + .seconds(1) / rate * number) }
        return try await signIn()
      }
      let seconds = (ContinuousClock.now - begun) / .seconds(1)
      let sorted = times.sorted()
      func part(_ share: Double) -> String {
        String(format: "%.1f ms", sorted[Int(Double(sorted.count - 1) * share)] * 1000)
      }
      print(
        "\(count) sign-ins, 50 at a time: \(Int(Double(count) / seconds)) a second,",
        "p50 \(part(0.5)), p99 \(part(0.99)), no error")
    }

    /// One sign-in: begun, answered, and used. Returns the seconds that the gate took for the first two.
    private func signIn() async throws -> Double {
      let first = ContinuousClock.now
      let begun = try await expect(303, of: request("sign-in?return=%2Fpage", []))
      let beginning = ContinuousClock.now - first
      guard let location = begun.fields["Location"],
        let state = location.firstMatch(of: /RelayState=([0-9a-f]{40})/)
      else { throw CocoaError(.fileReadCorruptFile) }
      var person = IdentityProviderSimulator.Answer(
        inResponseTo: "_" + String(state.1),
        recipient: origin.origin.description + "/.gate/saml/acs",
        audience: origin.origin.description + "/saml", at: SystemTime().now)
      // One person each, as in a day of many.
      person.subject = "person-" + state.1
      person.session = "session-" + state.1
      let answer = try idp.message(person)
      var post = try request("saml/acs", [("Cookie", cookies(begun))])
      post.method = .post
      post.body = answer.body
      try post.fields.append("Content-Type", "application/x-www-form-urlencoded")
      let second = ContinuousClock.now
      let done = try await expect(303, of: post)
      let finishing = ContinuousClock.now - second
      _ = try await expect(200, of: request("check", [("Cookie", cookies(done))]))
      return (beginning + finishing) / .seconds(1)
    }

    private func cookies(_ response: HTTPResponse) -> String {
      response.fields.values("Set-Cookie").filter { !$0.contains("Max-Age=0") }
        .map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
    }

    private func request(_ path: String, _ fields: [(String, String)]) throws -> HTTPRequest {
      var request = HTTPRequest(.get, try origin.at(path: "/.gate/" + path))
      for (name, value) in fields { try request.fields.append(name, value) }
      try request.fields.append("X-Original-URI", "/page")
      try request.fields.append("X-Original-Method", "GET")
      return request
    }

    @discardableResult
    private func expect(_ status: Int, of request: HTTPRequest) async throws -> HTTPResponse {
      let response = try await transport.response(to: request)
      guard response.status == status else {
        print("status \(response.status):", String(decoding: response.body, as: UTF8.self))
        throw CocoaError(.fileReadCorruptFile)
      }
      return response
    }

    /// What `body` returns for each number, fifty at a time.
    private func all<Value: Sendable>(
      _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
      try await withThrowingTaskGroup(of: [Value].self) { group in
        for first in 0..<50 {
          group.addTask {
            var values: [Value] = []
            for number in stride(from: first, to: count, by: 50) {
              values.append(try await body(number))
            }
            return values
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
    }
  }
#endif
