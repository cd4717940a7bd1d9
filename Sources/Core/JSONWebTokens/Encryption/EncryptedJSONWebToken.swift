public import Claims
import Octets
package import SecurityKeys
public import TokenBasics

/// A JSON Web Token inside of a JSON Web Encryption in compact form (RFC 7519, 3; RFC 7516, 7.1).
///
/// The encryption is a container: whoever has our public key can make one, so nothing is a claim but what the signed
/// token inside says. It has one level, and a token without a signature inside is refused as one outside is.
public struct EncryptedJSONWebToken: SecurityToken {
  /// How the claims of the token inside are named.
  public var naming: ClaimNaming = .asWritten
  private let encryption: JSONWebEncryption
  /// The whole as received.
  package let octets: [UInt8]

  /// Reads a compact encrypted token: five parts, strict base64url, a header of strict JSON.
  ///
  /// - Throws: `input.*`, `policy.critical-header`, `encryption.algorithm`, `encryption.compressed`,
  ///   `encryption.parts`, `encryption.content-type`.
  public init(parsing octets: [UInt8], limits: Limits = Limits()) throws(TokenError) {
    encryption = try JSONWebEncryption(parsing: octets, limits: limits)
    self.octets = octets
    // RFC 7519, 5.2: JWT, which producers leave out.
    if let type = encryption.header.contentType, !type.utf8.span.equalsIgnoringCase("JWT"),
      !type.utf8.span.equalsIgnoringCase("application/jwt")
    {
      throw TokenError(
        .encryptedContentType, node: "header.cty", expected: "JWT", found: TokenError.excerpt(type))
    }
  }

  /// Always `jwt`.
  public var format: TokenFormat { .jwt }

  /// None: a container states nothing.
  public var unverifiedClaims: ClaimSet { ClaimSet() }

  /// None: a container states nothing.
  public var unverifiedFacts: TokenFacts { TokenFacts() }

  /// How the token is encrypted, which nothing proves.
  public var encryptedWith: EncryptionNames { encryption.algorithms }

  /// The `kid` that the header names, not verified.
  package var keyID: String? { encryption.header.keyID }

  /// The token inside, not verified.
  ///
  /// - Parameters:
  ///   - trust: Its decryption keys and the algorithms that it accepts.
  ///   - exceptions: The legacy algorithms that are allowed by name.
  ///   - purpose: What the token is presented for.
  /// - Throws: `encryption.*`, `algorithm.legacy`; `encryption.content-type` for an SD-JWT; `signature.missing`
  ///   for claims without a signature; as `JSONWebToken.init(parsing:limits:)`.
  package func inner(
    _ trust: Trust, exceptions: Set<LegacyException> = [], for purpose: TokenPurpose = .access
  ) throws(TokenError) -> JSONWebToken {
    try signed(content(trust, exceptions), for: purpose, trust.limits)
  }

  private func content(
    _ trust: Trust, _ exceptions: Set<LegacyException>
  ) throws(TokenError) -> [UInt8] {
    try encryption.content(
      trust.decryptionKeys, trust.encryptionAlgorithms, exceptions: exceptions, trust.limits)
  }

  /// The signed token that the content has to be.
  private func signed(
    _ content: [UInt8], for purpose: TokenPurpose, _ limits: Limits
  ) throws(TokenError) -> JSONWebToken {
    let first = content.first { !ASCII.isWhiteSpace($0) }
    guard first != UInt8(ascii: "{") else {
      throw TokenError(
        .signatureMissing, expected: "a signed token inside", found: "claims without a signature")
    }
    // One with a key binding has as many dots as an encrypted token.
    if first != ASCII.lessThan, SelectiveDisclosureToken.hasSeparator(content.span) {
      throw TokenError(
        .encryptedContentType, node: "inside", expected: "a signed JSON Web Token",
        found: "an SD-JWT")
    }
    guard !JSONWebEncryption.hasParts(content.span) else {
      throw TokenError(.nestedEncryption, expected: "a signed token", found: "an encrypted one")
    }
    do throws(TokenError) {
      var token = try JSONWebToken(parsing: content, for: purpose, limits: limits)
      token.naming = naming
      return token
    } catch {
      throw error.within("inside")
    }
  }

  /// Decrypts the token, and verifies the one inside as if it had come by itself.
  public func _verify(in context: inout VerificationContext) throws(TokenError) -> VerifiedContent {
    let exceptions = context.trust.decryptionKeys.isEmpty ? [] : context.exceptions
    let plaintext = try context.require(.decryption) { context throws(TokenError) in
      try content(context.trust, exceptions)
    }
    let names = encryptedWith
    context.pass(.decryption, found: "\(names.algorithm), \(names.encryption)")
    let token = try context.require(.structure) { context throws(TokenError) in
      try signed(plaintext, for: .access, context.limits)
    }
    var verified = try token._verify(in: &context)
    if let exception = encryption.header.algorithm.exception {
      // The issuer that would need the exception is known only now.
      guard verified.entry.exceptions.contains(exception) else {
        throw context.failing(
          .decryption, TokenError(.legacyAlgorithm, node: "header.alg", found: exception.name))
      }
      context.warn(["legacy: \(exception.name) was allowed by name"])
    }
    verified.container = TokenContainer(names, around: token)
    return verified
  }

  /// `token`, a compact JSON Web Token, encrypted to `recipient`.
  ///
  /// - Throws: `policy.mint-encryption`; `input.*` and others for what is no such token.
  public static func encrypt(
    _ token: [UInt8], to recipient: JSONWebEncryptionRecipient
  ) throws(TokenError) -> [UInt8] {
    _ = try JSONWebSignature(parsing: token)
    return try JSONWebEncryption.encrypt(token, contentType: "JWT", to: recipient)
  }
}
