import Federation
import Octets
import SecurityKeys

/// Issuing tokens, beside the one signature or MAC of each.
extension BenchCase {
  static func minting(
    _ rsa: PrivateKey, _ secret: SymmetricKey
  ) throws(TokenError) -> [BenchCase] {
    let draft = draft(claims: 6)
    let key = try SigningKey(rsa)
    let issuer = SAMLIssuer(.v2, key: key)
    let swt = try SimpleWebToken.mint(draft, key: secret)
    let jwt = try JSONWebToken.mint(draft, key: key)
    let assertion = try issuer.assertion(draft)
    let signature = bareSigning(rsa)
    return [
      BenchCase(
        name: "mint swt", bytes: swt.count,
        run: { _ = try? SimpleWebToken.mint(draft, key: secret) },
        bare: { _ = secret.authenticate(swt.span, with: .sha256) }),
      BenchCase(
        name: "mint jwt RS256", bytes: jwt.count,
        run: { _ = try? JSONWebToken.mint(draft, key: key) }, bare: signature),
      BenchCase(
        name: "mint saml20 RSA", bytes: assertion.count,
        run: { _ = try? issuer.assertion(draft) }, bare: signature),
    ]
  }

  /// One signature of a digest.
  private static func bareSigning(_ key: PrivateKey) -> () -> Void {
    let digest = DigestAlgorithm.sha256.value(of: Array("bench".utf8).span)?.bytes ?? []
    return { _ = key.sign(digest: digest, .rsaSHA256) }
  }
}
