import Federation
import FederationClient
import Foundation
import HTTPExchange
import SecrecyTesting
import SimpleWebTokens
import Synchronization
import TestSupport
import Testing

@Suite("Sign-ins sealed in the browser")
struct SealedSignInTests {
  typealias Passive = PassiveSignInTests

  @Test("DOS-21 However many other sign-ins begin, a person's sign-in stays")
  func flood() async throws {
    let time = ManualTime(ACS.now)
    let flow = try Passive.flow(time)
    let begun = try Passive.begin(flow)
    var states: Set<String> = []
    for _ in 0..<20_000 { states.insert(try Passive.begin(flow).state) }
    #expect(states.count == 20_000)
    time.advance(bySeconds: 299)
    _ = try await flow.receive(
      Passive.answer(try ACS.wresult(.swt), begun.state), browser: begun.browser)
  }

  @Test("RP-4 A sign-in ends with its time, and its cookie is unreadable to others")
  func lifetime() async throws {
    let time = ManualTime(ACS.now)
    let flow = try Passive.flow(time)
    let begun = try Passive.begin(flow, returningTo: ReturnPath("/talks/7"))
    #expect(begun.state.utf8.count == 40)
    #expect(!begun.browser.revealed.contains("talks"))
    time.advance(bySeconds: 600)
    await expect(throws: TokenError(.clientState)) {
      try await flow.receive(
        Passive.answer(try ACS.wresult(.swt), begun.state), browser: begun.browser)
    }
  }

  @Test("RP-4 A cookie of which any character was changed, or that was cut, opens nothing")
  func changed() async throws {
    let flow = try Passive.flow()
    let begun = try Passive.begin(flow)
    let answer = Passive.answer(try ACS.wresult(.swt), begun.state)
    let cookie = Array(begun.browser.revealed)
    for index in cookie.indices {
      var other = cookie
      other[index] = other[index] == "A" ? "B" : "A"
      for text in [String(other), String(cookie[..<index])] {
        await expect(throws: TokenError(.clientState)) {
          try await flow.receive(answer, browser: Secret(text))
        }
      }
    }
    _ = try await flow.receive(answer, browser: begun.browser)
  }

  @Test("SEM-18 A rejected response leaves the sign-in open for the right one, which finishes it")
  func consumption() async throws {
    let flow = try Passive.flow()
    let begun = try Passive.begin(flow)
    let wresult = try ACS.wresult(.saml20)
    let forged = wresult.replacingOccurrences(of: ">editor<", with: ">owner<")
    #expect(forged != wresult)
    await expect(throws: TokenError(.digestMismatch)) {
      try await flow.receive(Passive.answer(forged, begun.state), browser: begun.browser)
    }
    _ = try await flow.receive(Passive.answer(wresult, begun.state), browser: begun.browser)
    for format in [TokenFormat.saml20, .swt] {
      await expect(throws: TokenError(.clientState)) {
        try await flow.receive(
          Passive.answer(try ACS.wresult(format), begun.state), browser: begun.browser)
      }
    }
  }

  @Test("SEM-8 RP-11 A token of another trusted service cannot finish a sign-in")
  func mixedUp() async throws {
    let time = ManualTime(ACS.now)
    let other = try AccessControlService(namespace: "othersns", realm: ACS.realm)
    let key = try SymmetricKey(bytes: Array(32..<64))
    var trust = try ACS.trust()
    trust.issuers.append(TrustedIssuer(other.issuer, keys: [.secret(key)], formats: [.swt]))
    let signIns = SealedSignIns()
    let asked = PassiveSignIn(try ACS.service(), trust: trust, signIns: signIns, time: time)
    let answering = PassiveSignIn(other, trust: trust, signIns: signIns, time: time)
    let token = try SimpleWebToken.mint(ACS.draft(issuer: other.issuer), key: key)
    let wresult = ACS.tokenResponse(
      ACS.binaryToken(String(decoding: token, as: UTF8.self), ACS.swtType), ACS.swtType)
    let begun = try Passive.begin(asked)
    await expect(throws: TokenError(.issuerUntrusted)) {
      try await asked.receive(Passive.answer(wresult, begun.state), browser: begun.browser)
    }
    await expect(throws: TokenError(.clientState)) {
      try await answering.receive(Passive.answer(wresult, begun.state), browser: begun.browser)
    }
    let own = try Passive.begin(answering)
    _ = try await answering.receive(Passive.answer(wresult, own.state), browser: own.browser)
  }

  @Test("A finished sign-in is remembered until it is over by the slowest clock of a fleet")
  func slowClocks() async throws {
    let store = NotedUses()
    let flow = PassiveSignIn(
      try ACS.service(), trust: try ACS.trust(), time: ManualTime(ACS.now), used: store)
    let begun = try Passive.begin(flow)
    _ = try await flow.receive(
      Passive.answer(try ACS.wresult(.swt), begun.state), browser: begun.browser)
    let use = try #require(store.uses.first)
    // A store that began later than the sign-in can tell that it does not know.
    #expect(use.origin == .begun(ACS.now))
    #expect(use.end == ACS.now.advanced(bySeconds: 600))
    #expect(use.skew == 600)
  }

  @Test("Processes that share a key and a store finish each other's sign-ins, each once")
  func sharedKey() async throws {
    try await Sample.withFolder { folder in
      let file = try FileStoreTests.keyFile(in: folder)
      let time = ManualTime(ACS.now)
      let store = MemoryReplayStore()
      let flows = try (0..<2).map { _ in
        PassiveSignIn(
          try ACS.service(), trust: try ACS.trust(),
          signIns: try SealedSignIns(key: .file(file.path())), time: time, used: store)
      }
      let begun = try Passive.begin(flows[0])
      _ = try await flows[1].receive(
        Passive.answer(try ACS.wresult(.swt), begun.state), browser: begun.browser)
      await expect(throws: TokenError(.clientState)) {
        try await flows[0].receive(
          Passive.answer(try ACS.wresult(.saml20), begun.state), browser: begun.browser)
      }
      expect(throws: TokenError(.sessionStoreKeySource)) {
        try SealedSignIns(key: .passphrase(Secret("a horse")))
      }
    }
  }
}

/// A store that writes down what it has to remember.
private final class NotedUses: ReplayStore {
  private let noted = Mutex<[TokenUse]>([])

  var uses: [TokenUse] { noted.withLock { $0 } }

  func remember(
    _ identity: TokenIdentity, until end: Instant, at now: Instant
  ) async throws(TokenError) -> Bool { true }

  func remember(_ use: TokenUse, at now: Instant) async throws(TokenError) -> Bool {
    noted.withLock { $0.append(use) }
    return true
  }
}
