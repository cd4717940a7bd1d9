import Claims
import Foundation
import HTTPExchange
import SAML
import SecurityKeys
import TestSupport
import Testing

@testable import AccessControl
@testable import SignIn

@Suite("Values that the local Access Control Service keeps or seals")
struct KeptValueTests {
  private static let now = SiteFixture.now
  private let values = MemoryValueStore()
  private let used = MemoryReplayStore(capacity: 100)
  private let grants: Grants

  init() throws {
    grants = Grants(
      in: values, used: used, key: try #require(SealingKey([UInt8](repeating: 6, count: 32))),
      clock: ManualTime(Self.now), random: RandomSource(), observer: NoObserver(),
      sweeps: SweepTimer(Uptime { .zero }, every: .seconds(600))
    ) { _ in }
  }

  // MARK: Values

  private static func context() -> SignInContext {
    var context = SignInContext(.openID, realm: "chat", provider: "Google")
    context.reply = "https://chat.example/callback"
    context.relyingPartyState = "s"
    context.client = "chat"
    context.challenge = "c"
    context.request = "_r"
    context.nameFormat = "urn:f"
    context.nonce = "n"
    context.subject = "sub"
    context.mode = "form_post"
    context.scopes = ["openid", "offline_access"]
    context.resource = "https://api.example/"
    context.demands.prompt = "login"
    context.demands.loginHint = "ada"
    context.demands.homeRealm = "campus"
    context.demands.maxAge = 60
    context.demands.forcesSignIn = true
    context.demands.isPassive = true
    context.demands.contexts = ["urn:mfa"]
    context.id = "id"
    context.begun = now
    return context
  }

  private static func subject() throws -> SignedInSubject {
    var subject = SignedInSubject(
      ClaimSet([Claim("urn:role", "staff", valueType: "urn:type")]), from: .provider("Google"),
      name: "ada")
    subject.emails = ["ada@example.org"]
    subject.authenticated = now
    subject.context = "urn:mfa"
    subject.actor = try ActorChain(.init("agent", of: "https://acs.example/"), before: nil)
    return subject
  }

  private static func grant(_ kind: Grant.Kind = .openID) throws -> Grant {
    let party = RelyingParty(realm: "chat", format: .jwt, ruleGroups: [])
    let signIn = FinishedSignIn(
      context: context(), party: party,
      provider: ACSIdentityProvider(id: "Google", name: "Google", .testPeople([])),
      subject: try subject(), visit: Visit(id: "visit"), session: nil)
    return Grant(
      kind, of: signIn, to: "chat", at: try RedirectURI("https://chat.example/callback"), now)
  }

  private static func session() -> SignedInSession {
    SignedInSession(
      principal: FederatedPrincipal(
        issuer: "https://idp.example/", subject: "ada", claims: ClaimSet(), format: .jwt,
        issuerSession: IssuerSession(index: "sid"), warnings: []),
      provider: "idp", begun: now, end: now.advanced(bySeconds: 600), lastUse: now,
      idToken: Secret("token"))
  }

  private static let party = VisitedParty(
    realm: "urn:sp", delivery: .init(name: "samlp"),
    session: IssuerSession(index: "i", name: SubjectName("n", format: "urn:f")))

  private func expectKept<Value: KeptValue>(
    _ value: Value, required: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = String(decoding: value.json, as: UTF8.self)
    let read = try #require(Value(json: value.json), sourceLocation: sourceLocation)
    #expect(String(decoding: read.json, as: UTF8.self) == text, sourceLocation: sourceLocation)
    #expect(text.hasPrefix("{\"v\":1,"), sourceLocation: sourceLocation)
    let first = "{" + text.dropFirst(7)
    #expect(
      Value(json: Array(first.utf8))?.json == value.json, "without a version",
      sourceLocation: sourceLocation)
    let other = "{\"v\":2," + text.dropFirst(7)
    #expect(Value(json: Array(other.utf8)) == nil, sourceLocation: sourceLocation)
    for name in required {
      let less = text.replacing("\"\(name)\":", with: "\"other \(name)\":", maxReplacements: 1)
      #expect(less != text, "\(name)", sourceLocation: sourceLocation)
      #expect(Value(json: Array(less.utf8)) == nil, "\(name)", sourceLocation: sourceLocation)
    }
    for garbage in ["", "{}", "[]", "1", "{\"v\":1}"] where !required.isEmpty {
      #expect(Value(json: Array(garbage.utf8)) == nil, sourceLocation: sourceLocation)
    }
  }

  @Test(
    "A grant is read as it was written, with its subject, and one of an unknown version is none")
  func grantValues() throws {
    let grant = try Self.grant()
    try expectKept(
      grant,
      required: ["kind", "client", "realm", "redirect", "session", "expires", "claims"])
    let read = try #require(Grant(json: grant.json))
    #expect(read.subject.source == .provider("Google") && read.subject.name == "ada")
    #expect(Array(read.subject.claims) == Array(grant.subject.claims))
    #expect(read.subject.emails == grant.subject.emails && read.subject.context == "urn:mfa")
    #expect(read.subject.authenticated == Self.now && read.subject.actor == grant.subject.actor)
    #expect(read.scopes == ["openid", "offline_access"] && read.nonce == "n")
    try expectKept(grant.family(from: Self.now), required: ["kind"])
    var wanted = WantedToken(try Self.subject(), until: Self.now)
    wanted.realm = "https://api.example/"
    wanted.scopes = ["read"]
    wanted.access = [AllowedAccess(realm: "https://first.example/", scopes: ["read", "write"])]
    let token = Grant(tokenOf: wanted, as: .accessToken, until: Self.now)
    try expectKept(token, required: ["kind"])
    #expect(Grant(json: token.json)?.access == token.access && token.access.count == 2)
    wanted.actors = [token, grant]
    let acted = Grant(tokenOf: wanted, as: .accessToken, until: Self.now)
    try expectKept(acted, required: ["kind"])
    #expect(Grant(json: acted.json)?.actors.map(\.json) == [token.json, grant.json])
  }

  @Test("A sign-in on its way is read as it was sealed")
  func contexts() throws {
    let context = Self.context()
    try expectKept(context, required: ["pr", "rm", "id", "at", "fl"])
    #expect(SignInContext(json: context.json) == context)
    let least = SignInContext(.openID, realm: "chat")
    #expect(SignInContext(json: least.json) == least)
  }

  @Test("Visits, clients and sessions of admins are read as they were written")
  func others() throws {
    var visit = Visit(id: "v")
    visit.join(Self.session())
    visit.join(Self.party)
    try expectKept(visit, required: ["parties", "sessions"])
    let read = try #require(Visit(id: "v", json: visit.json))
    #expect(read.parties == [Self.party] && read.sessions.map(\.json) == [Self.session().json])
    let client = RegisteredClient(
      id: "client-7-ab",
      ClientDescription(redirects: [try RedirectURI("https://a.example/cb")], name: "Agent"),
      issued: Self.now, isUsed: true)
    try expectKept(client, required: ["id", "issued", "used", "redirect_uris"])
    #expect(RegisteredClient(json: client.json)?.description == client.description)
    try expectKept(AdminSession("s", of: "ada", .editor), required: ["admin", "role"])
  }

  @Test("A sign-out on its way is read as it was written, whatever comes at its end")
  func signOuts() throws {
    let address = try HTTPURL("https://a.example/?a=b")
    let replies: [SignOut.Reply] = [
      .page(back: nil), .page(back: PageContent.Link("Back", to: "https://a.example/")),
      .redirect("https://a.example/"),
      .serviceProvider(realm: "urn:sp", request: "_a", relayState: "r"),
      .provider(
        done: .post(address, fields: [(name: "SAMLResponse", value: "x")]),
        partial: .redirect(address)),
    ]
    let asked: [SignOut.Asked] = [
      .page, .serviceProvider(realm: "urn:sp", request: "_b"), .provider, .person,
    ]
    for (number, reply) in replies.enumerated() {
      var signOut = SignOut(id: "s", reply: reply)
      signOut.asked = asked[number % asked.count]
      signOut.names = ["Wiki"]
      signOut.pictures = ["https://a.example/?wa=x"]
      signOut.parties = [Self.party]
      signOut.sessions = [Self.session()]
      signOut.isPartial = true
      try expectKept(signOut, required: ["reply", "asked", "parties", "sessions"])
    }
  }

  @Test("A visit keeps what is readable, and loses a session of an unknown version alone")
  func partlyReadable() throws {
    var visit = Visit(id: "v")
    visit.join(Self.session())
    visit.join(Self.party)
    let text = String(decoding: visit.json, as: UTF8.self)
    let other = text.replacing("[{\"v\":1,", with: "[{\"v\":2,")
    let read = try #require(Visit(id: "v", json: Array(other.utf8)))
    #expect(other != text && read.sessions.isEmpty && read.parties == [Self.party])
  }

  @Test("The visits of a provider, and a pushed request, have the form that earlier releases read")
  func earlierForms() throws {
    let list = VisitList(["a", "b"])
    #expect(String(decoding: list.stored, as: UTF8.self) == "[1,\"a\",\"b\"]")
    for text in ["[1,\"a\",\"b\"]", "[\"a\",\"b\"]"] {
      #expect(VisitList(stored: Array(text.utf8))?.ids == ["a", "b"], "\(text)")
    }
    for text in ["[2,\"a\"]", "{}", ""] {
      #expect(VisitList(stored: Array(text.utf8)) == nil, "\(text)")
    }
    let form = try FormReader(Array("scope=openid&client_secret=x&kept_version=9".utf8))
    let pushed = PushedRequest(form, by: "chat")
    #expect(
      String(decoding: pushed.stored, as: UTF8.self)
        == "scope=openid&client_id=chat&kept_version=1")
    for (text, isRead) in [("a=b", true), ("a=b&kept_version=1", true), ("kept_version=2", false)] {
      #expect((PushedRequest(stored: Array(text.utf8)) != nil) == isRead, "\(text)")
    }
  }

  // MARK: Marks

  private static let redeemer = Redeemer(
    client: "chat", realm: "chat", redirect: "https://chat.example/callback")

  /// A code of a person whose sign-in had no challenge, and the authorization that it gives.
  private func redeemed() async throws -> (code: Secret, refresh: Secret, family: String) {
    var grant = try Self.grant()
    let text = String(decoding: grant.json, as: UTF8.self)
      .replacing("\"challenge\":\"c\",", with: "")
      .replacing("openid offline_access", with: "openid")
    grant = try #require(Grant(json: Array(text.utf8)))
    let code = try await grants.code(for: grant)
    let redeemed = try await grants.redeem(.code(code.revealed, of: .openID), by: Self.redeemer)
    let refresh = try await grants.firstRefreshToken(of: redeemed)
    return (code, refresh, redeemed.family)
  }

  private func isTaken(_ refresh: Secret) async throws -> Bool {
    let redeemer = Redeemer(client: "chat", realm: "chat")
    do throws(TokenError) {
      _ = try await grants.redeem(.refreshToken(refresh.revealed, of: .openIDFamily), by: redeemer)
      return true
    } catch {
      #expect(error.code == .issuingGrant)
      return false
    }
  }

  @Test(
    "Whatever is under the name of a mark counts as the mark",
    arguments: [[], [0], [7, 7], Array("{\"v\":2}".utf8)])
  func garbageMarks(garbage: [UInt8]) async throws {
    for kind in [KeptKind.over, .ended] {
      let (_, refresh, family) = try await redeemed()
      let rest = kind == .over ? family : "visit"
      try await values.keep(
        garbage, under: ValueName(MarkName(kind, rest)), until: Self.now.advanced(bySeconds: 60),
        at: Self.now)
      #expect(try await !isTaken(refresh), "\(kind.name)")
      try await values.remove(ValueName(MarkName(kind, rest)))
      #expect(try await isTaken(refresh), "\(kind.name) removed")
    }
  }

  @Test("A mark that another key sealed counts, too")
  func markOfAnotherKey() async throws {
    let (_, refresh, family) = try await redeemed()
    let other = Grants(
      in: values, used: used, key: try #require(SealingKey([UInt8](repeating: 8, count: 32))),
      clock: ManualTime(Self.now), random: RandomSource(), observer: NoObserver(),
      sweeps: SweepTimer(Uptime { .zero }, every: .seconds(600))
    ) { _ in }
    try await other.end("visit")
    #expect(try await grants.isOver("visit"))
    #expect(try await !isTaken(refresh))
    #expect(try await !grants.isOver("another visit"))
    _ = family
  }

  /// Keeps an authorization as a later release would.
  private func keepLater(_ family: String) async throws {
    let name = KeptName.family(family)
    let key = try #require(SealingKey([UInt8](repeating: 6, count: 32)))
    let sealed = try #require(
      key.seal(Array("{\"v\":2,\"kind\":\"openIDFamily\"}".utf8), context: Array(name.text.utf8)))
    try await values.keep(
      sealed, under: ValueName(name), until: Self.now.advanced(bySeconds: 600), at: Self.now)
  }

  @Test("A grant of an unknown version gives nothing")
  func unknownGrant() async throws {
    let (_, refresh, family) = try await redeemed()
    try await keepLater(family)
    #expect(try await !isTaken(refresh))
    let kept: Grant? = try await grants.kept(under: .family(family))
    #expect(kept == nil)
  }

  @Test("A token whose authorization is of an unknown version can be revoked all the same")
  func revokesUnknown() async throws {
    let (_, refresh, family) = try await redeemed()
    try await keepLater(family)
    #expect(try await grants.revoke(refresh.revealed, of: Self.client("chat")))
    #expect(try await values.value(under: ValueName(MarkName.over(family)), at: Self.now) != nil)
  }

  @Test("A token of another client is not revoked, and its authorization goes on")
  func revokesOwn() async throws {
    let (_, refresh, _) = try await redeemed()
    #expect(try await !grants.revoke(refresh.revealed, of: Self.client("other")))
    // A service identity that is called as the client is.
    let namesake = TokenClient(ServiceIdentity(name: "chat"))
    #expect(try await !grants.revoke(refresh.revealed, of: namesake))
    #expect(try await isTaken(refresh))
    let (_, own, _) = try await redeemed()
    #expect(try await grants.revoke(own.revealed, of: Self.client("chat")))
    #expect(try await !isTaken(own))
  }

  private static func client(_ name: String) -> TokenClient {
    TokenClient(RelyingParty(realm: name, format: .jwt), isConfidential: true)
  }

  // MARK: Names

  @Test("docs/architecture.md lists each kind of name once, and no other")
  func names() throws {
    let url = TestVector.packageRoot.appending(path: "docs/architecture.md")
    let page = try String(contentsOf: url, encoding: .utf8)
    let part = try #require(page.split(separator: "\n## ").first { $0.hasPrefix("What is kept") })
    func kinds(_ head: String) -> [String] {
      part.split(separator: "\n").drop { !$0.hasPrefix(head) }.dropFirst(2)
        .prefix { $0.hasPrefix("|") }
        .flatMap { $0.split(separator: "|")[0].matches(of: /`([a-z-]+):`/).map { String($0.1) } }
    }
    let names = (KeptKind.ofSites + KeptKind.ofTokenServices).map(\.name)
    #expect(Set(kinds("| name |")) == Set(names + ["id", "digest", "opaque"]))
    #expect(Set(names).count == names.count)
    #expect(Set(kinds("| use |")) == Set(SingleUse.Kind.allCases.map(\.rawValue)))
  }
}
