import Claims
import Foundation
import RegistryTesting
import SignIn
import TestSupport
import Testing

@testable import GateService

/// What one person or one provider can make the gate keep, and what an application learns of it.
@Suite("Amounts that a sign-in leaves behind")
struct AmountTests {
  private static let named = [NamedClaim("groups", ["groups"]), NamedClaim("mail", ["mail"])]

  private func principal(_ claims: [Claim], keptTypes: [ClaimType]? = nil) -> FederatedPrincipal {
    FederatedPrincipal(
      issuer: "https://a.example", subject: "ada", claims: ClaimSet(claims), format: .jwt,
      issuerSession: IssuerSession(), warnings: [], keptTypes: keptTypes)
  }

  private func many(_ bytes: Int) -> [Claim] {
    (0..<bytes / 100).map { _ in Claim("big", String(repeating: "x", count: 100)) }
  }

  @Test("A session keeps every claim up to 64 KiB, and beyond that those that the file names")
  func bound() {
    let few = principal(many(60_000) + [Claim("groups", "g"), Claim("other", "o")])
    #expect(few.bounded(keeping: Self.named).claims == few.claims)
    #expect(few.bounded(keeping: Self.named).keptTypes == nil)
    let large = principal(
      many(70_000) + [Claim("groups", "g"), Claim("other", "o"), Claim("acr", "urn:mfa")])
    let kept = large.bounded(keeping: Self.named)
    #expect(kept.claims.map(\.type.name) == ["groups", "acr"])
    #expect(kept.keptTypes == ["groups", "mail"])
    #expect(kept.subject == "ada")
    let numerous = principal((0..<5_000).map { Claim("n", "\($0)") })
    #expect(numerous.bounded(keeping: Self.named).claims.isEmpty)
    // A mark that says that groups are elsewhere still counts.
    let marked = principal(many(70_000) + [Claim("_claim_names", #"{"groups":"src1"}"#)])
    #expect(marked.bounded(keeping: Self.named).claims.lacksGroups)
  }

  private func verdict(_ claim: ClaimType, denies: Bool, _ subject: GateSubject) throws -> String {
    let rule = GateRule(
      path: try RequestTarget("/a"), claims: [claim], values: ["x"], denies: denies)
    switch GateRules([rule]).decide("/a", method: "GET", subject: subject).verdict {
    case .allow: return "allow"
    case .forbidden(let error): return error.code.rawValue
    default: return "other"
    }
  }

  @Test("A dropped claim is unknown: noneOf refuses, oneOf is not met, until the next sign-in")
  func dropped() throws {
    var subject = GateSubject(subject: "ada", claims: ClaimSet([Claim("kept", "x")]))
    #expect(try verdict("dept", denies: true, subject) == "allow")
    #expect(try verdict("dept", denies: false, subject) == "gate.forbidden")
    subject.keptTypes = ["kept"]
    #expect(try verdict("dept", denies: true, subject) == "gate.claim-dropped")
    #expect(try verdict("dept", denies: false, subject) == "gate.claim-dropped")
    #expect(try verdict("kept", denies: false, subject) == "allow")
    #expect(try verdict("kept", denies: true, subject) == "gate.forbidden")
  }

  @Test("A session reads the mark of dropped claims as it was kept")
  func mark() throws {
    let now = Instant(secondsSinceEpoch: 1_893_499_200)
    for types in [nil, ["groups", "urn:a"] as [ClaimType]] {
      let session = SignedInSession(
        principal: principal([], keptTypes: types), provider: "a", begun: now, end: now,
        lastUse: now)
      #expect(SignedInSession(json: session.json)?.principal.keptTypes == types)
    }
  }

  @Test("One sign-in has ten sessions at an application; the oldest ends for the next")
  func children() async throws {
    let fixture = try ApplicationFixture()
    let gate = try fixture.gate()
    let wiki = try SiteSettings(origin: HTTPURL("https://wiki.example").origin, prefix: "/.gate/")
    let sessions = try #require(gate.site.applications)
    let end = fixture.clock.now.advanced(bySeconds: 1_000)
    let parent = SessionID.make().id
    func parentOf(_ cookie: Secret) async throws -> SessionID? {
      try await sessions.parent(
        of: ["\(wiki.sessionCookie)=\(cookie.revealed)"], at: wiki)
    }
    var cookies: [Secret] = []
    for _ in 0..<10 {
      cookies.append(try await sessions.child(of: parent, until: end, at: wiki))
      fixture.clock.advance(bySeconds: 1)
    }
    for cookie in cookies { #expect(try await parentOf(cookie) == parent) }
    let other = try await sessions.child(of: SessionID.make().id, until: end, at: wiki)
    let next = try await sessions.child(of: parent, until: end, at: wiki)
    #expect(try await parentOf(cookies[0]) == nil)
    for cookie in cookies.dropFirst() + [next] { #expect(try await parentOf(cookie) == parent) }
    #expect(try await parentOf(other) != nil)
    let changed = Secret(String(next.revealed.dropLast(2)) + "AA")
    #expect(try await parentOf(changed) == nil)
  }

  @Test("PREFIXclaims at an application shows what its headers show")
  func shownClaims() async throws {
    let fixture = try ApplicationFixture()
    let gate = try fixture.gate()
    let browser = fixture.browser(gate)
    _ = try await browser.visit("https://wiki.example/page")
    let own = try await browser.open("https://app.example/.gate/claims")
    #expect(fixture.code(own).contains(#""issuer":"#))
    let wiki = fixture.code(try await browser.open("https://wiki.example/.gate/claims"))
    #expect(wiki.contains(#""subject":"ada""#))
    #expect(!wiki.contains(#""issuer":"#) && wiki.contains(#""claims":[]"#))
  }
}
