import Claims
import HTTPExchange
import SAML
import TestSupport
import Testing

@testable import SignIn

@Suite("Values that a site keeps or seals")
struct KeptValueTests {
  private static let now = Instant(secondsSinceEpoch: 1_893_499_200)

  private static func session() throws -> SignedInSession {
    let claim = Claim(
      "urn:role", "staff", issuer: "https://idp.example/", valueType: "urn:type",
      originalIssuer: "https://first.example/", originalName: "role",
      properties: ["urn:format": "basic"])
    let name = SubjectName("ada", format: "urn:f", nameQualifier: "q", spNameQualifier: "sp")
    var session = SignedInSession(
      principal: FederatedPrincipal(
        issuer: "https://idp.example/", subject: "ada", claims: ClaimSet([claim]), format: .saml20,
        issuerSession: IssuerSession(index: "i1", name: name, end: now.advanced(bySeconds: 50)),
        warnings: ["a warning"]),
      provider: "campus", begun: now, end: now.advanced(bySeconds: 100),
      lastUse: now.advanced(bySeconds: 10), idToken: Secret("token"),
      renewal: SessionRenewal(Secret("refresh"), due: now.advanced(bySeconds: 20)))
    session.asked = AskedAuthentication(contexts: ["urn:mfa"], maxAge: 60)
    session.isRehearsal = true
    return session
  }

  private static func asked() throws -> ApplicationSignIn {
    ApplicationSignIn(
      origin: "https://wiki.example", returnPath: try ReturnPath("/page?a=1"),
      browser: [UInt8](0..<32), cookie: "0a1b2c3d", isAnew: true, expires: now)
  }

  private static func pending() throws -> PendingSignIn {
    var pending = PendingSignIn(
      .openID, issuer: "https://op.example", endpoint: "https://app.example/callback",
      nonce: "n", proofKey: ProofKey(verifier: Secret("v")), contexts: ["urn:mfa"],
      returnPath: try ReturnPath("/page"), random: RandomSource(), at: now)
    pending.provider = "op"
    pending.mark = "0a1b2c3d"
    pending.asked = AskedAuthentication(contexts: [], maxAge: 60)
    pending.replacedSession = SessionID.make().id
    pending.application = try asked()
    return pending
  }

  /// That a value is written, read and written alike; a version that is not known, and a member that is missing, give no value.
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
    for version in ["0", "2", "\"1\"", "1.0", "null"] {
      let other = "{\"v\":\(version)," + text.dropFirst(7)
      #expect(Value(json: Array(other.utf8)) == nil, "\(version)", sourceLocation: sourceLocation)
    }
    let more = "{\"v\":1,\"of a later release\":{}," + text.dropFirst(7)
    #expect(
      Value(json: Array(more.utf8))?.json == value.json, "a further member",
      sourceLocation: sourceLocation)
    for name in required {
      let less = text.replacing("\"\(name)\":", with: "\"other \(name)\":", maxReplacements: 1)
      #expect(less != text, "\(name)", sourceLocation: sourceLocation)
      #expect(Value(json: Array(less.utf8)) == nil, "\(name)", sourceLocation: sourceLocation)
    }
    for garbage in ["", "{}", "[]", "1", "{\"v\":1}"] {
      #expect(Value(json: Array(garbage.utf8)) == nil, sourceLocation: sourceLocation)
    }
  }

  @Test("A session is read as it was written, and one of an unknown version is none")
  func sessions() throws {
    let session = try Self.session()
    try expectKept(
      session,
      required: ["provider", "issuer", "subject", "format", "begun", "end", "lastUse", "claims"])
    let read = try #require(SignedInSession(json: session.json))
    #expect(read.principal.claims.map(\.properties) == [["urn:format": "basic"]])
    #expect(Array(read.principal.claims) == Array(session.principal.claims))
    #expect(read.principal.issuerSession == session.principal.issuerSession)
    #expect(read.principal.warnings == ["a warning"] && read.asked == session.asked)
    #expect(read.idToken?.revealed == "token" && read.renewal?.refreshToken.revealed == "refresh")
    #expect(read.isRehearsal && read.lastUse == session.lastUse)
    #expect(read.renewal?.due == session.renewal?.due)
  }

  @Test("A session without what it may lack is read, too")
  func leastSession() throws {
    let session = SignedInSession(
      principal: FederatedPrincipal(
        issuer: "i", subject: "s", claims: ClaimSet(), format: .jwt,
        issuerSession: IssuerSession(), warnings: []),
      provider: "", begun: Self.now, end: Self.now, lastUse: Self.now)
    try expectKept(session, required: ["claims"])
    let read = try #require(SignedInSession(json: session.json))
    #expect(read.idToken == nil && read.renewal == nil && read.asked == nil && !read.isRehearsal)
    #expect(read.principal.issuerSession == IssuerSession())
  }

  @Test("A pending sign-in is read as it was sealed, with the application for which it is")
  func pendingSignIns() throws {
    let pending = try Self.pending()
    try expectKept(
      pending,
      required: ["kind", "request", "issuer", "endpoint", "begun", "expires", "contexts"])
    let read = try #require(PendingSignIn(json: pending.json))
    #expect(read.application?.json == pending.application?.json)
    #expect(read.replacedSession == pending.replacedSession && read.mark == pending.mark)
    #expect(read.proofKey?.verifier.revealed == "v" && read.returnPath == pending.returnPath)
    let finished = pending.finished(at: Self.now)
    #expect(PendingSignIn(json: finished.json)?.json == finished.json)
  }

  @Test("What an application asks, and what a ticket stands for, is read as it was sealed")
  func applications() throws {
    let asked = try Self.asked()
    try expectKept(
      asked, required: ["origin", "return", "browser", "cookie", "anew", "expires"])
    let id = SessionID.make().id
    let link = ApplicationLink(to: id, until: Self.now, asked: asked)
    try expectKept(link, required: ["parent", "end"])
    let read = try #require(ApplicationLink(json: link.json))
    #expect(read.parent == id && read.asked?.browser == asked.browser)
    try expectKept(ApplicationLink(to: id, until: Self.now), required: ["parent", "end"])
  }

  @Test(
    "A member with a value that its type does not have makes the whole value unreadable",
    arguments: [
      ("\"return\":\"/page\"", "\"return\":\"//evil.example\""),
      ("\"maxAge\":60", "\"maxAge\":\"60\""),
      ("\"nonce\":\"n\"", "\"nonce\":1"), ("[\"urn:mfa\"]", "[\"urn:mfa\",1]"),
    ])
  func otherValues(right: String, wrong: String) throws {
    let text = String(decoding: try Self.pending().json, as: UTF8.self)
    #expect(PendingSignIn(json: Array(text.utf8)) != nil)
    let other = text.replacing(right, with: wrong)
    #expect(other != text && PendingSignIn(json: Array(other.utf8)) == nil)
  }
}
