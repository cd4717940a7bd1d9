import Octets
package import SecurityKeys
package import TokenBasics

/// A JSON Web Signature in compact form (RFC 7515, 7.1), whatever its payload is.
package struct JSONWebSignature: Sendable {
  package let header: JOSEHeader
  /// The payload, decoded.
  package let payload: [UInt8]
  let signature: [UInt8]
  private let received: [UInt8]
  private let signedEnd: Int
  /// Whether a part is padded, which a key has to allow by name.
  private let isPadded: Bool

  /// Reads three parts of strict base64url, padded or not: what is padded has its content, and
  /// matches no key that ``LegacyException/jwsPadding`` is not allowed for.
  ///
  /// - Throws: `input.*`, `signature.missing`, `policy.critical-header`.
  ///
  /// - Parameter readsUnsigned: Whether the signature may be empty; then no key matches.
  package init(
    parsing octets: [UInt8], limits: Limits = Limits(), readsUnsigned: Bool = false
  ) throws(TokenError) {
    guard octets.count <= min(limits.bytes, Limits.hardByteLimit) else {
      throw TokenError(
        .inputTooLarge, expected: "at most \(limits.bytes) bytes", found: "\(octets.count) bytes")
    }
    let parts = try CompactSerialization(octets, readsUnsigned: readsUnsigned)
    let span = octets.span
    header = try JOSEHeader(
      parsing: Base64.decode(span.extracting(parts.digits(of: parts.header, in: span)), .url),
      limits)
    payload = try Base64.decode(span.extracting(parts.digits(of: parts.payload, in: span)), .url)
    signature = try Base64.decode(
      span.extracting(parts.digits(of: parts.signature, in: span)), .url)
    isPadded = parts.isPadded(span)
    received = octets
    signedEnd = parts.payload.upperBound
  }

  /// The algorithm that the header names, if it is supported.
  package var signatureAlgorithm: SignatureAlgorithm? { header.signatureAlgorithm }

  /// The octets that the signature covers, `header.payload` as received.
  var signedOctets: ArraySlice<UInt8> { received[..<signedEnd] }

  /// The whole as received.
  var octets: [UInt8] { received }

  /// The octets that the signature covers without padding, so that a token has one identity
  /// whichever way it is spelled.
  var identityOctets: [UInt8] {
    isPadded ? signedOctets.filter { $0 != ASCII.equals } : Array(signedOctets)
  }

  /// Finds the key that signed.
  ///
  /// - Throws: `input.jws-padding`, `algorithm.*`, `key.*`, `signature.invalid`.
  package func match(_ ring: KeyRing, at now: Instant) throws(TokenError) -> KeyRing.Match {
    guard !signature.isEmpty else { throw TokenError(.signatureMissing, node: "signature") }
    guard let algorithm = header.signatureAlgorithm else {
      throw TokenError(
        .unknownSignatureAlgorithm, node: "header.alg",
        expected: SignatureAlgorithm.namesInJOSEExpected,
        found: TokenError.excerpt(header.algorithm))
    }
    var candidates = try candidates(ring, algorithm)
    if isPadded { candidates = try allowingPadding(candidates) }
    do {
      var match = try candidates.match(
        signature, over: received.span.extracting(first: signedEnd), algorithm, at: now)
      if isPadded {
        match.warnings.append("legacy: \(LegacyException.jwsPadding.name) was allowed by name")
      }
      return match
    } catch {
      throw error.located(at: "signature").hinting(hint(for: error, algorithm))
    }
  }

  /// The keys for which padding is allowed.
  ///
  /// - Throws: `input.jws-padding` if there is none.
  private func allowingPadding(_ ring: KeyRing) throws(TokenError) -> KeyRing {
    let keys = ring.keys.filter { $0.exceptions.contains(.jwsPadding) }
    guard !keys.isEmpty else {
      throw TokenError(
        .jwsPadding, node: received.firstIndex(of: ASCII.equals).map { "byte \($0)" },
        expected: "base64url without padding (RFC 7515, 2)", found: "=")
    }
    return KeyRing(keys)
  }

  /// What to do about a signature that is invalid, where the header shows a reason.
  private func hint(for error: TokenError, _ algorithm: SignatureAlgorithm) -> String? {
    guard error.code == .signatureInvalid else { return nil }
    if algorithm.family == .hmac {
      return "check the secret: a file whose text happens to be base64 is decoded, so where the "
        + "text itself is the "
        + "secret, give hmac: with the base64 of that text"
    }
    guard header.hasNonce else { return nil }
    return "the header has nonce: Microsoft signs access tokens for Graph over another header than "
      + "the one sent, "
      + "and they are for Graph alone; ask for a token with your own audience (a scope of your own "
      + "API)"
  }

  /// The keys that the header's `kid` does not exclude, on the algorithm's own curve. A key without an
  /// identifier (a PEM file) may be any of them.
  private func candidates(
    _ ring: KeyRing, _ algorithm: SignatureAlgorithm
  ) throws(TokenError) -> KeyRing {
    var keys = ring.keys
    if let keyID = header.keyID {
      keys = keys.filter { $0.keyID?.hasSameBytes(as: keyID) ?? true }
      guard !keys.isEmpty else {
        throw TokenError(
          .unknownKeyID, node: "header.kid", expected: "a key of the issuer",
          found: TokenError.excerpt(keyID))
      }
      if keys.count > 1, keys.contains(where: { $0.isContested(for: algorithm) }) {
        throw TokenError(
          .duplicateKeyID, node: "header.kid", expected: "one key for \(header.algorithm)",
          found: TokenError.excerpt(keyID))
      }
    }
    if let width = JWSAlgorithm.coordinateBytes(of: algorithm) {
      let onCurve = keys.filter { $0.key.publicKey?.kind == .ec(coordinateBytes: width) }
      guard !onCurve.isEmpty else {
        throw TokenError(
          .algorithmKeyMismatch, node: "header.alg",
          expected: "an algorithm of \(keys.first?.key.kindName ?? "the key")",
          found: header.algorithm)
      }
      keys = onCurve
    }
    return KeyRing(keys)
  }
}
