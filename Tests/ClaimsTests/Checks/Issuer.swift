import Claims
import SecurityKeys
import Testing
import TokenBasics

@Suite("The issuer of a token and its key, in every format")
struct IssuerCheckTests {
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
      var context = SharedCheck.context(issuers: crowd + issuers)
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
    var context = SharedCheck.context(issuers: [metadata, try Self.entry(.any, octet: 3), pinned])
    let entry = try context.entry(forIssuer: Array("i".utf8)[...], .swt)
    #expect(entry.keys.map(\.key.fingerprint) == pinned.keys.map(\.key.fingerprint))
  }
}
