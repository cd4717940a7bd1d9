package import Instants
import Octets
package import SecurityKeys
package import TokenErrors

/// A JSON Web Signature in compact form (RFC 7515, 7.1), whatever its payload is.
package struct JSONWebSignature: Sendable {
  package let header: JOSEHeader
  /// The payload, decoded.
  package let payload: [UInt8]
  /// The octets that the signature covers, `header.payload` as received.
  let signedOctets: ArraySlice<UInt8>
  let signature: [UInt8]

  /// Reads three parts of strict base64url.
  ///
  /// - Throws: `input.*`, `signature.missing`, `policy.critical-header`.
  package init(parsing octets: [UInt8], limits: Limits = Limits()) throws(TokenError) {
    guard octets.count <= min(limits.bytes, Limits.hardByteLimit) else {
      throw TokenError(
        .inputTooLarge, expected: "at most \(limits.bytes) bytes", found: "\(octets.count) bytes")
    }
    let parts = try CompactSerialization(octets)
    header = try JOSEHeader(parsing: parts.header, limits)
    payload = try Base64.decode(parts.payload.span, .url)
    signedOctets = parts.signed
    signature = try Base64.decode(parts.signature.span, .url)
  }

  /// Finds the key that signed.
  ///
  /// - Throws: `algorithm.*`, `key.*`, `signature.invalid`.
  package func match(_ ring: KeyRing, at now: Instant) throws(TokenError) -> KeyRing.Match {
    guard let algorithm = JWSAlgorithm.named(header.algorithm) else {
      throw TokenError(
        .unknownSignatureAlgorithm, node: "header.alg",
        expected: JWSAlgorithm.known.map(\.name).joined(separator: ", "),
        found: TokenError.excerpt(header.algorithm))
    }
    let candidates = try candidates(ring, algorithm)
    do {
      return try candidates.match(signature, over: signedOctets.span, algorithm, at: now)
    } catch {
      throw error.located(at: "signature")
    }
  }

  /// The keys that the header's `kid` does not rule out, on the algorithm's own curve. A key without an
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
