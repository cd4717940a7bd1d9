import Claims
import Instants
import SecurityKeys
import Testing
import TokenErrors

@Suite("The checks that all formats share")
struct SharedCheckTests {
  private static func context(
    _ audiences: Trust.Audiences = .any, issuers: [TrustedIssuer] = [],
    at now: Instant = Instant(secondsSinceEpoch: 1_000)
  ) -> VerificationContext {
    VerificationContext(
      Trust(issuers: issuers, audiences: audiences), Expectations(), at: now, isDetailed: true)
  }

  /// Restrictions, and what they come to for the audiences `a` and `b`.
  static let restrictions: [([[String]], TokenError.Code?)] = [
    ([["a"]], nil), ([["x", "b"]], nil), ([["a"], ["b"]], nil),
    ([["x"], ["a"]], .audienceMismatch),
    ([["a"], ["x"]], .audienceMismatch), ([["a"], []], .audienceMismatch),
    ([[], ["a"]], .audienceMismatch), ([["A"]], .audienceMismatch), ([[]], .audienceMismatch),
    ([], .audienceMissing),
  ]

  @Test("An empty audience is nobody's, also where an empty one is configured")
  func emptyAudience() {
    var texts = ClaimTableBuilder(over: [])
    var written = AudienceRestrictions()
    written.beginRestriction()
    written.append(texts.add(""))
    var context = Self.context(.oneOf([""]))
    context.check(written, in: texts, node: nil)
    #expect(context.journal.firstFailure?.code == .audienceMismatch)
  }

  @Test("Each audience restriction names one of ours", arguments: restrictions)
  func audiences(restrictions: [[String]], code: TokenError.Code?) {
    var texts = ClaimTableBuilder(over: [])
    var written = AudienceRestrictions()
    for restriction in restrictions {
      written.beginRestriction()
      for name in restriction { written.append(texts.add(name)) }
    }
    var context = Self.context(.oneOf(["a", "b"]))
    context.check(written, in: texts, node: nil)
    #expect(context.journal.firstFailure?.code == code)
    #expect(context.journal.checks.map(\.outcome) == [code == nil ? .passed : .failed])
  }

  /// Seconds of now, start and end, and what they come to with a skew of 60.
  static let windows: [(Int64, Int64?, Int64?, TokenError.Code?)] = [
    (1_000, nil, 941, nil), (1_000, nil, 940, .expired), (1_000, 1_060, 2_000, nil),
    (1_000, 1_061, 2_000, .notYetValid), (1_000, nil, nil, .noExpiry),
    (1_000, 1_050, 1_050, .emptyWindow),
  ]

  @Test("A validity window is open at its end, give or take the skew", arguments: windows)
  func window(now: Int64, start: Int64?, end: Int64?, code: TokenError.Code?) {
    var context = Self.context(at: Instant(secondsSinceEpoch: now))
    context.checkWindow(
      notBefore: start.map { Instant(secondsSinceEpoch: $0) },
      expires: end.map { Instant(secondsSinceEpoch: $0) }, node: nil)
    #expect(context.journal.firstFailure?.code == code)
  }

  private static func entry(
    _ name: TrustedIssuer.Name, _ formats: Set<TokenFormat> = [.swt],
    _ source: TrustedIssuer.Source = .configuration, octet: UInt8 = 1
  ) throws -> TrustedIssuer {
    let key = VerificationKey.secret(try SymmetricKey(bytes: .init(repeating: octet, count: 32)))
    return TrustedIssuer(name, keys: [TrustedKey(key)], formats: formats, source: source)
  }

  @Test("One entry vouches for an issuer's tokens of a format", arguments: [0, 20])
  func issuers(others: Int) throws {
    let crowd = try (0..<others).map { try Self.entry(.exactly("other-\($0)")) }
    func found(_ issuers: [TrustedIssuer], _ name: String = "i") -> TokenError.Code? {
      var context = Self.context(issuers: crowd + issuers)
      do throws(TokenError) {
        _ = try context.entry(forIssuer: Array(name.utf8)[...], .swt)
        return nil
      } catch {
        return error.code
      }
    }
    let exact = try Self.entry(.exactly("i"))
    #expect(found([exact]) == nil)
    #expect(found([exact], "") == .issuerMissing)
    #expect(found([exact], "I") == .issuerUntrusted)
    #expect(found([try Self.entry(.exactly("i"), [.jwt])]) == .noKey)
    #expect(found([exact, exact]) == .ambiguousIssuer)
    #expect(found([exact, try Self.entry(.exactly("i"), [.jwt])]) == nil)
    #expect(found([try Self.entry(.any)], "anyone") == nil)
    let metadata = try Self.entry(.exactly("i"), [.swt], .metadata, octet: 2)
    #expect(found([metadata, exact]) == nil)
    // The configuration pins the issuer, so that metadata adds no format.
    #expect(found([metadata, try Self.entry(.exactly("i"), [.jwt])]) == .noKey)
  }

  @Test("The configuration's key is chosen, not that of metadata")
  func pinned() throws {
    let pinned = try Self.entry(.exactly("i"))
    let metadata = try Self.entry(.exactly("i"), [.swt], .metadata, octet: 2)
    var context = Self.context(issuers: [metadata, try Self.entry(.any, octet: 3), pinned])
    let entry = try context.entry(forIssuer: Array("i".utf8)[...], .swt)
    #expect(entry.keys.map(\.key.fingerprint) == pinned.keys.map(\.key.fingerprint))
  }
}
