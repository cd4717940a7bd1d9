package import Instants
import Octets
package import SecurityKeys
package import TokenErrors

/// A JSON Web Signature in compact form (RFC 7515, 7.1), whatever its payload is.
package struct JSONWebSignature: Sendable {
  package let header: JOSEHeader
  /// The payload, decoded.
  package let payload: [UInt8]
  let signature: [UInt8]
  private let received: [UInt8]
  private let signedEnd: Int

  /// Reads three parts of strict base64url.
  ///
  /// - Throws: `input.*`, `signature.missing`, `policy.critical-header`.
  package init(parsing octets: [UInt8], limits: Limits = Limits()) throws(TokenError) {
    guard octets.count <= min(limits.bytes, Limits.hardByteLimit) else {
      throw TokenError(
        .inputTooLarge, expected: "at most \(limits.bytes) bytes", found: "\(octets.count) bytes")
    }
    let parts = try CompactSerialization(octets)
    let span = octets.span
    header = try JOSEHeader(
      parsing: Base64.decode(span.extracting(parts.header), .url), limits)
    payload = try Base64.decode(span.extracting(parts.payload), .url)
    signature = try Base64.decode(span.extracting(parts.signature), .url)
    received = octets
    signedEnd = parts.payload.upperBound
  }

  /// The octets that the signature covers, `header.payload` as received.
  var signedOctets: ArraySlice<UInt8> { received[..<signedEnd] }

  /// Finds the key that signed.
  ///
  /// - Throws: `algorithm.*`, `key.*`, `signature.invalid`.
  package func match(_ ring: KeyRing, at now: Instant) throws(TokenError) -> KeyRing.Match {
    guard let algorithm = header.signatureAlgorithm else {
      throw TokenError(
        .unknownSignatureAlgorithm, node: "header.alg",
        expected: JWSAlgorithm.known.map(\.name.description).joined(separator: ", "),
        found: TokenError.excerpt(header.algorithm))
    }
    let candidates = try candidates(ring, algorithm)
    do {
      return try candidates.match(
        signature, over: received.span.extracting(first: signedEnd), algorithm, at: now)
    } catch {
      throw error.located(at: "signature")
    }
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
