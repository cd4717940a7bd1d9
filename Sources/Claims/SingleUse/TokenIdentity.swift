import Octets
import SecurityKeys

/// The identity of a token for single use: issuer and identifier or, in a format without identifiers, the
/// signed octets. Not the whole message, because its envelope, the encoding of the signature and white space
/// can vary.
public struct TokenIdentity: Hashable, Sendable {
  /// A SHA-256 digest: nothing of the token can be learned from it.
  public let octets: [UInt8]

  /// The identity of a verified token.
  ///
  /// - Parameters:
  ///   - verified: The verified token.
  ///   - provider: The provider at which it is used, by its identifier in a service's configuration:
  ///     two providers of one issuer are asked apart. Nil for a service of one.
  public init<Token: SecurityToken>(_ verified: Verified<Token>, at provider: String? = nil) {
    let issuer = Array(verified.facts.issuer.utf8)
    let rest: [UInt8]
    if let id = verified.facts.tokenID {
      rest = Array("id".utf8) + Array(id.utf8)
    } else {
      rest = Array("octets".utf8) + verified.token._signedOctets
    }
    // The length comes first, so that issuer and identifier have one reading.
    var text = Array("\(issuer.count):".utf8) + issuer + rest
    if let provider { text = Array("at:\(provider.utf8.count):\(provider):".utf8) + text }
    octets = Self.digest(text)
  }

  /// The identity of a sign-in that is finished once, which no token has.
  package init(signIn state: String) {
    octets = Self.digest(Array("sign-in:\(state)".utf8))
  }

  private static func digest(_ text: [UInt8]) -> [UInt8] {
    DigestAlgorithm.sha256.digest(of: text) ?? text
  }
}
