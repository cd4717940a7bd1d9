import AccessControl
import Foundation
import SecurityKeys

/// Measures what a token service costs: a token of each format beside the bare signature, and rule groups.
///
///     swift run -c release --disable-default-traits IssuingPerformance
@main
struct IssuingPerformance {
  static let now = Instant(secondsSinceEpoch: 1_893_455_400)

  static func main() async throws {
    let private2048 = try PrivateKey(generating: .rsa2048)
    let signing = try SigningKey(
      private2048,
      certificate: Certificate(
        selfSigning: private2048, name: "acs", notBefore: Instant(secondsSinceEpoch: 0),
        notAfter: Instant(secondsSinceEpoch: 2_000_000_000)))
    let symmetric = try SymmetricKey(bytes: [UInt8](repeating: 7, count: 32))
    var group = RuleGroup("default")
    group.generate(for: .facebook(application: "1"))
    let formats: [(String, TokenFormat)] = [
      ("SWT", .swt), ("JWT RS256", .jwt), ("SAML 1.1", .saml11), ("SAML 2.0", .saml20),
    ]
    let namespace = try ServiceNamespace(
      issuer: "https://acs.example/",
      relyingParties: formats.map {
        RelyingParty(realm: $0.0, format: $0.1, ruleGroups: ["default"])
      }, providers: [], ruleGroups: [group],
      keys: NamespaceKeys(signing: signing, symmetric: symmetric))
    let claims = ClaimSet(
      ClaimOffer.facebook(application: "1").types.map { Claim($0, "value of the claim") })
    let message = [UInt8](repeating: 65, count: 1_000)
    let bareRSA = try best(1_000) { _ = try signing.sign(message) }
    let bareMAC = try best(100_000) { _ = symmetric.authenticate(message.span, with: .sha256) }
    print(String(format: "bare RSA-2048 signature %9.1f µs, bare HMAC %.2f µs", bareRSA, bareMAC))
    for (name, format) in formats {
      let party = try namespace.relyingParty(name)
      let cost = try best(format == .swt ? 20_000 : 1_000) {
        _ = try namespace.issue(claims, from: .provider("Facebook-1"), to: party, at: now)
      }
      let bare = format == .swt ? bareMAC : bareRSA
      print(
        String(
          format: "%-10@ %9.1f µs a token, %8.0f a second, %5.2f times the bare one",
          name as NSString, cost, 1e6 / cost, cost / bare))
    }
    try await exchange(signing, private2048)
    for rules in [1_250, 2_500, 5_000, 10_000] { try rule(rules) }
  }

  /// An exchange and what is bare of it in turns, the shortest turn of each.
  private static func exchange(_ signing: SigningKey, _ key: PrivateKey) async throws {
    let exchanged = try await ExchangedTokens(signing: signing, key)
    let clock = SuspendingClock()
    var (cost, bare) = (Duration.seconds(1), Duration.seconds(1))
    for _ in 0..<200 {
      cost = await min(cost, clock.measure { for _ in 0..<5 { await exchanged.exchange() } })
      bare = min(bare, clock.measure { for _ in 0..<5 { exchanged.bare() } })
    }
    print(
      String(
        format: "an exchange %7.1f µs, verification and signature %7.1f µs: %5.2f times",
        cost / .microseconds(5), bare / .microseconds(5), cost / bare))
  }

  /// A thousand claims, of which each rule asks for one value.
  private static func rule(_ count: Int) throws {
    var limits = RuleLimits()
    limits.inputs = 1_000
    limits.outputs = 20_000
    let rules = (0..<count).map { number in
      ClaimRule(
        ClaimCondition(.provider("p"), type: "urn:group", value: "\(number % 1_000)"),
        outputType: ClaimType("urn:role"), outputValue: "\(number)")
    }
    let claims = ClaimSet((0..<1_000).map { Claim("urn:group", "\($0)") })
    var engine = RuleEngine([])
    let made = try best(10) { engine = RuleEngine([RuleGroup("g", rules: rules)], limits: limits) }
    let before = resident()
    let cost = try best(10) {
      _ = try engine.evaluate(claims, from: .provider("p"), issuer: "urn:acs")
    }
    print(
      String(
        format: "%6d rules, 1000 claims: made in %6.1f ms, run in %6.1f ms, %5.2f MB more", count,
        made / 1_000, cost / 1_000, Double(resident() - before) / 1_048_576))
  }

  /// Microseconds of one, the best of five rounds.
  private static func best(_ count: Int, _ body: () throws -> Void) throws -> Double {
    var best = Double.infinity
    for _ in 0..<5 {
      let start = ContinuousClock.now
      for _ in 0..<count { try body() }
      let elapsed = start.duration(to: .now)
      best = min(
        best,
        Double(elapsed.components.attoseconds) / 1e12 + Double(elapsed.components.seconds) * 1e6)
    }
    return best / Double(count)
  }

  private static func resident() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
  }
}
