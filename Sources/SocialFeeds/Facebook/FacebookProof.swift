import BrowserExchange
import Octets
import SecurityKeys
import TokenErrors

/// `appsecret_proof`: proves that the sender of the token also has the app's secret.
enum FacebookProof {
  /// Lower-case hexadecimal HMAC-SHA256 of the token under the app secret.
  /// - Throws: `policy.mint-signature` when OpenSSL fails.
  static func proof(of token: Secret, _ secret: SymmetricKey) throws(TokenError) -> String {
    let message = Array(token.revealed.utf8)
    guard let mac = secret.authenticate(message.span, with: .sha256) else {
      throw TokenError(.mintSignature, found: "hmac-sha256")
    }
    return Hex.encode(mac)
  }
}
