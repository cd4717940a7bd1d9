import Federation
import Octets
import SecurityKeys

/// Finding the keys of a token's issuer among those of an aggregate, beside the look-up in a dictionary.
extension BenchCase {
  static func metadata(_ rsa: PrivateKey) -> [BenchCase] {
    let keys = [TrustedKey(.publicKey(rsa.publicKey))]
    let names = (0..<15_000).map { "https://idp-\($0).example.test/saml2/metadata" }
    let trust = Trust(
      issuers: names.map { TrustedIssuer(.exactly($0), keys: keys, formats: [.saml20]) },
      audiences: .any)
    let octets = names.map { Array($0.utf8)[...] }
    let dictionary = Dictionary(
      octets.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return [
      BenchCase(
        name: "issuer among 15000", bytes: octets.first?.count ?? 0,
        run: rotating(octets) { _ = trust.entries(for: $0) },
        bare: rotating(octets) { _ = dictionary[$0] })
    ]
  }

  /// Work over one name after the other, so that the caches hold no single entry.
  private static func rotating(
    _ names: [ArraySlice<UInt8>], _ body: @escaping (ArraySlice<UInt8>) -> Void
  ) -> () -> Void {
    var place = 0
    return {
      // A prime step visits all of them.
      place = (place + 4_099) % names.count
      body(names[place])
    }
  }
}
