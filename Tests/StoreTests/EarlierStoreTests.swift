import HTTPExchange
import Octets
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@testable import AccessControl
@testable import SignIn

@Suite(
  "Stores that an earlier release filled: nothing is lost, and what was used or ended stays so")
struct EarlierStoreTests {
  private func with(_ kind: EarlierStore.Kind, _ test: (EarlierStore) async throws -> Void)
    async throws
  {
    let store = try EarlierStore(kind)
    defer { store.close() }
    try await test(store)
  }

  private static let redeemer = Redeemer(
    client: "chat", realm: "chat", redirect: "https://chat.example/callback",
    verifier: String(repeating: "v", count: 43))
  private static let refresher = Redeemer(client: "chat", realm: "chat")

  private func refused(
    _ presented: Grants.Presented, by redeemer: Redeemer, in store: EarlierStore
  ) async -> TokenError.Code? {
    do throws(TokenError) {
      _ = try await store.grants.redeem(presented, by: redeemer)
      return nil
    } catch {
      return error.code
    }
  }

  private func refresh(_ token: String, in store: EarlierStore) async -> TokenError.Code? {
    await refused(.refreshToken(token, of: .openIDFamily), by: Self.refresher, in: store)
  }

  // MARK: acs

  @Test("A code gives tokens once", arguments: EarlierStore.Kind.available)
  func codes(kind: EarlierStore.Kind) async throws {
    try await with(kind) { store in
      let code = Grants.Presented.code(try store.acs("code"), of: .openID)
      #expect(await refused(code, by: Self.redeemer, in: store) == nil)
      #expect(await refused(code, by: Self.redeemer, in: store) == .issuingGrant)
      let draft = Grants.Presented.code(try store.acs("draftCode"), of: .code)
      let uploader = Redeemer(
        client: "uploader", realm: "chat", redirect: "https://chat.example/callback")
      #expect(await refused(draft, by: uploader, in: store) == nil)
      #expect(await refused(draft, by: uploader, in: store) == .issuingGrant)
    }
  }

  @Test("A used code gives nothing, and ends what it gave", arguments: EarlierStore.Kind.available)
  func usedCode(kind: EarlierStore.Kind) async throws {
    try await with(kind) { store in
      let code = Grants.Presented.code(try store.acs("usedCode", "code"), of: .openID)
      #expect(await refused(code, by: Self.redeemer, in: store) == .issuingGrant)
      #expect(await refresh(try store.acs("usedCode", "refresh"), in: store) == .issuingGrant)
    }
  }

  @Test(
    "A refresh token that was not used is good once; used, revoked and signed out give nothing",
    arguments: EarlierStore.Kind.available)
  func refreshTokens(kind: EarlierStore.Kind) async throws {
    try await with(kind) { store in
      let good = try store.acs("refresh", "refresh_token")
      #expect(await refresh(good, in: store) == nil)
      #expect(await refresh(good, in: store) == .issuingGrant)
      #expect(await refresh(try store.acs("revoked"), in: store) == .issuingGrant)
      #expect(await refresh(try store.acs("signedOut"), in: store) == .issuingGrant)
      #expect(await refresh(try store.acs("usedRefresh", "used"), in: store) == .issuingGrant)
      #expect(await refresh(try store.acs("usedRefresh", "current"), in: store) == .issuingGrant)
    }
  }

  @Test("What was not presented twice goes on", arguments: EarlierStore.Kind.available)
  func currentRefreshToken(kind: EarlierStore.Kind) async throws {
    try await with(kind) { store in
      #expect(await refresh(try store.acs("usedRefresh", "current"), in: store) == nil)
      #expect(await refresh(try store.acs("usedCode", "refresh"), in: store) == nil)
      let token = TokenKey.opaque(try store.acs("refresh", "access_token"))
      let grant = try #require(try await store.grants.token(token))
      #expect(grant.client == "chat" && grant.subject.name == "ada")
      #expect(grant.subject.source == .provider("Google") && grant.use == .accessToken)
      let idToken = try AnyToken(reading: Array(try store.acs("idToken").utf8))
      let id = try #require(idToken.unverifiedFacts.tokenID)
      #expect(try await store.grants.known(.id(id))?.use == .idToken)
    }
  }

  @Test(
    "A visit, a sign-out on its way and the visits of a provider",
    arguments: EarlierStore.Kind.available)
  func visits(kind: EarlierStore.Kind) async throws {
    try await with(kind) { store in
      func visit(_ cookie: String) throws -> String {
        let sealed = try Base64.decode(Array(cookie.utf8), .url)
        return String(
          decoding: try #require(store.key.open(sealed, context: Array("visit".utf8))),
          as: UTF8.self)
      }
      let id = try visit(try store.acs("visit", "cookie"))
      #expect(try await store.grants.visit(id).parties.map(\.realm) == ["chat"])
      #expect(try await !store.grants.isOver(id))
      #expect(try await store.grants.isOver(visit(try store.acs("signedOutVisit"))))
      let leaving = try await store.grants.kept(under: .signOut(try store.acs("visit", "leaving")))
      let names = try #require(leaving?.names)
      #expect(names.count == 1)
      let ended = EndedSessions(
        provider: "provider-1", issuer: "http://127.0.0.1:18611",
        .session(try store.acs("upstream", "session")))
      let found = try await store.grants.visits(of: ended)
      #expect(found.map(\.sessions.count) == [1])
      for visit in found { _ = try await store.grants.endVisit(visit.id) }
      #expect(await refresh(try store.acs("upstream", "refresh"), in: store) == .issuingGrant)
    }
  }

  @Test(
    "A client, an admin, a pushed request and a sign-in on its way",
    arguments: EarlierStore.Kind.available)
  func others(kind: EarlierStore.Kind) async throws {
    try await with(kind) { store in
      let client = try store.acs("client")
      let place = try #require(RegisteredClient.place(client))
      let registered = try await store.grants.kept(under: .client(at: place))
      #expect(registered?.id == client && registered?.description.name == "Agent")
      let admin = try await store.grants.kept(under: .admin(try store.acs("admin")))
      #expect(admin?.admin == "admin" && admin?.role == .editor)
      let prefix = "urn:ietf:params:oauth:request_uri:"
      for (name, isUnused) in [("push", true), ("usedPush", false)] {
        let id = String(try store.acs(name).dropFirst(prefix.count))
        let pushed = try await store.grants.kept(under: .pushed(id))
        #expect(pushed?.form["client_id"] == "chat", "\(name)")
        let use = SingleUse(
          .pushed, id, .begun(store.now), until: store.now.advanced(bySeconds: 60),
          repetition: TokenError(.issuingGrant))
        var isFirst = true
        do throws(TokenError) { try await store.grants.redeem(use) } catch { isFirst = false }
        #expect(isFirst == isUnused, "\(name)")
      }
      let sealed = try Base64.decode(Array(try store.acs("context", "cx").utf8), .url)
      let purpose = ["sign-in", "https://acs.example", try store.acs("context", "browser")]
      let json = try #require(
        store.key.open(sealed, context: PrefixedTexts.octets(purpose)))
      let context = try #require(SignInContext(json: json))
      #expect(context.realm == "chat" && context.provider == "Google")
      #expect(context.nonce == "n" && context.scopes == ["openid"])
    }
  }

  // MARK: The gate

  @Test("Sessions go on, and those that were ended stay so", arguments: EarlierStore.Kind.available)
  func sessions(kind: EarlierStore.Kind) async throws {
    try await with(kind) { store in
      func session(_ cookie: String) async throws -> SignedInSession? {
        try await store.sessions.session(try #require(SessionID(Secret(cookie))))
      }
      for (way, subject) in [("op", "grace"), ("saml", nil), ("wsfed", nil)] {
        let found = try #require(
          try await session(try store.gate("sessions", way)), "\(way)")
        #expect(found.provider == way && !found.principal.claims.isEmpty)
        if let subject { #expect(found.principal.subject == subject) }
        #expect(!found.isOver(at: store.now, idle: 1_800))
      }
      #expect(try await session(try store.gate("ended")) == nil)
      let ended = EndedSessions(
        provider: "op", issuer: "http://127.0.0.1:18611",
        .session(try store.gate("atProvider", "session")))
      #expect(try await session(try store.gate("atProvider", "cookie")) != nil)
      #expect(try await store.sessions.remove(ended) == 1)
      #expect(try await session(try store.gate("atProvider", "cookie")) == nil)
    }
  }

  @Test(
    "Sign-ins under way go on, and a finished one does not", arguments: EarlierStore.Kind.available)
  func pending(kind: EarlierStore.Kind) async throws {
    try await with(kind) { store in
      let sealer = try SignInSealer(origin: EarlierStore.origin, keys: store.gateKeys)
      let seal = CookieSeal(store.gateKeys.compactMap(SealingKey.init))
      func opened(_ cookie: (name: String, value: String)) throws -> PendingSignIn {
        let digits = String(cookie.name.suffix(8))
        let octets = try #require(
          seal.open(Secret(cookie.value), for: ["pending sign-in", "https://app.example", digits]))
        return try #require(PendingSignIn(json: octets))
      }
      let kinds: [(String, PendingSignIn.Kind)] = [
        ("op", .openID), ("saml", .saml2), ("wsfed", .wsFederation),
      ]
      for (way, kind) in kinds {
        let cookie = try store.cookie("pending", way)
        let pending = try opened(cookie)
        #expect(pending.provider == way && pending.returnPath?.text == "/page")
        let again = try sealer.open(pending.request, Secret(cookie.value), kind, at: store.now)
        #expect(again.json == pending.json)
        #expect(try await store.gateUsed.remember(pending.use, at: store.now), "\(way)")
      }
      let finished = try opened(try store.cookie("finished"))
      #expect(finished.kind == .finished)
      #expect(try await !store.gateUsed.remember(finished.use, at: store.now))
    }
  }

  @Test(
    "Applications on other hosts: a session, a ticket and what is asked",
    arguments: EarlierStore.Kind.available)
  func applications(kind: EarlierStore.Kind) async throws {
    try await with(kind) { store in
      let sealer = try SignInSealer(origin: EarlierStore.origin, keys: store.gateKeys)
      func link(_ name: KeptName<ApplicationLink>) async throws -> ApplicationLink {
        let sealed = try #require(
          try await store.gateValues.value(under: ValueName(name), at: store.now))
        let text = Secret(String(decoding: sealed, as: UTF8.self))
        return try #require(
          sealer.open(text, for: name.text).flatMap { ApplicationLink(json: $0) })
      }
      let wiki = try SiteSettings(
        origin: try HTTPURL("https://wiki.example/").origin, prefix: "/.gate/")
      let parent = try #require(SessionID(Secret(try store.gate("child", "parent"))))
      let child = try await link(.child(try store.gate("child", "cookie"), at: wiki))
      #expect(child.parent == parent && child.asked == nil)
      let ticket = try await link(.ticket(try store.gate("ticket")))
      #expect(ticket.parent == parent && ticket.asked?.origin == "https://wiki.example")
      let asked = try #require(
        sealer.open(Secret(try store.gate("asked")), for: ApplicationSignIn.purpose)
          .flatMap { ApplicationSignIn(json: $0) })
      #expect(asked.returnPath.text == "/page" && asked.origin == "https://wiki.example")
    }
  }
}
