package import Instants
package import TokenErrors

/// The keys that may have made one signature.
package struct KeyRing: Sendable {
  package let keys: [TrustedKey]

  package init(_ keys: [TrustedKey]) { self.keys = keys }

  /// The key that verified a signature, and what a report should say about it.
  package struct Match: Sendable {
    package let key: VerificationKey
    package let algorithm: SignatureAlgorithm
    package let warnings: [String]
  }

  /// Finds the key that made `signature` over `message`.
  ///
  /// A key's own type and the policy around it decide what it may verify; the message only picks
  /// inside that. `digests` are the other digests that the signature relies on.
  ///
  /// - Throws: `key.none`, `algorithm.key-mismatch`, `algorithm.not-allowed`, `algorithm.legacy`,
  ///   `key.weak`, `key.hmac-length`, `key.certificate-dates`, `key.metadata-expired`,
  ///   `signature.invalid`.
  package func match(
    _ signature: [UInt8], over message: Span<UInt8>, _ algorithm: SignatureAlgorithm,
    digests: [DigestAlgorithm] = [], at now: Instant
  ) throws(TokenError) -> Match {
    try match(signature.span, over: message, algorithm, digests: digests, at: now)
  }

  /// As ``match(_:over:_:digests:at:)-([UInt8],_,_,_,_)``.
  package func match(
    _ signature: Span<UInt8>, over message: Span<UInt8>, _ algorithm: SignatureAlgorithm,
    digests: [DigestAlgorithm] = [], at now: Instant
  ) throws(TokenError) -> Match {
    var obstacle: (error: TokenError, weight: Int)?
    var digest: [UInt8]?
    for key in keys {
      if let (error, weight) = Self.obstacle(key, algorithm, digests, now) {
        if weight > obstacle?.weight ?? 0 { obstacle = (error, weight) }
        continue
      }
      // The message is digested once, and not before some key may verify it.
      let known = digest ?? Self.digest(of: message, algorithm)
      digest = known
      if key.key.isValid(signature, for: message, digest: known, algorithm) {
        return Match(
          key: key.key, algorithm: algorithm, warnings: warnings(key, algorithm, digests, now))
      }
    }
    guard digest != nil else { throw obstacle?.error ?? TokenError(.noKey) }
    let tried = keys.filter { Self.obstacle($0, algorithm, digests, now) == nil }
    throw TokenError(
      .signatureInvalid,
      expected: "a signature by " + tried.map(\.key.fingerprint).joined(separator: " or "))
  }

  /// What the algorithm signs of the message; nothing for those that digest by themselves.
  private static func digest(
    of message: Span<UInt8>, _ algorithm: SignatureAlgorithm
  ) -> [UInt8] {
    switch algorithm.family {
    case .hmac, .ed25519: []
    default: algorithm.digest.digest(of: message) ?? []
    }
  }

  /// Why `key` would be passed over for a signature, or nil when it would be tried.
  package static func obstacle(
    _ key: TrustedKey, for algorithm: SignatureAlgorithm, digests: [DigestAlgorithm],
    at now: Instant
  ) -> TokenError? {
    obstacle(key, algorithm, digests, now)?.0
  }

  /// Why `key` may not verify, weighted by how close it came.
  private static func obstacle(
    _ trusted: TrustedKey, _ algorithm: SignatureAlgorithm, _ digests: [DigestAlgorithm],
    _ now: Instant
  ) -> (TokenError, Int)? {
    if let validUntil = trusted.validUntil, validUntil <= now {
      return (
        TokenError(
          .metadataExpired, expected: "before \(validUntil.rfc3339)", found: now.rfc3339), 6
      )
    }
    guard trusted.key.accepts(algorithm) else {
      return (
        TokenError(
          .algorithmKeyMismatch, expected: "an algorithm of \(trusted.key.kindName)",
          found: algorithm.name), 1
      )
    }
    if let allowed = trusted.algorithms, !allowed.contains(algorithm) {
      return (
        TokenError(
          .algorithmNotAllowed, expected: allowed.map(\.name).joined(separator: " or "),
          found: algorithm.name), 2
      )
    }
    if algorithm.isLegacy || digests.contains(where: \.isLegacy) {
      for exception in Self.exceptions(algorithm, digests)
      where !trusted.exceptions.contains(exception) {
        return (TokenError(.legacyAlgorithm, found: exception.name), 3)
      }
    }
    for exception in trusted.key.exceptions where !trusted.exceptions.contains(exception) {
      let (code, expected): (TokenError.Code, String) =
        switch exception {
        case .hmacShortKey: (.hmacKeyLength, "32 bytes or more")
        case .rsaSmallExponent: (.weakKey, "an RSA exponent of 65537 or more")
        default: (.weakKey, "RSA of 2048 bits or more")
        }
      return (TokenError(code, expected: expected, found: trusted.key.kindName), 4)
    }
    // RFC 7518, 3.2 and RFC 2104, 3: a key shorter than the digest weakens the MAC.
    if let byteCount = trusted.key.secretByteCount, byteCount < algorithm.digest.length,
      !trusted.exceptions.contains(.hmacShortKey)
    {
      return (
        TokenError(
          .hmacKeyLength, expected: "\(algorithm.digest.length) bytes or more",
          found: trusted.key.kindName), 4
      )
    }
    if trusted.certificateDates == .enforce, !trusted.hasValidDates(at: now) {
      return (TokenError(.certificateDates, found: trusted.key.validity), 5)
    }
    return nil
  }

  private static func exceptions(
    _ algorithm: SignatureAlgorithm, _ digests: [DigestAlgorithm]
  ) -> [LegacyException] {
    (algorithm.isLegacy ? [.signature(algorithm)] : [])
      + (digests.contains(where: \.isLegacy) ? [.sha1] : [])
  }

  private func warnings(
    _ trusted: TrustedKey, _ algorithm: SignatureAlgorithm, _ digests: [DigestAlgorithm],
    _ now: Instant
  ) -> [String] {
    let dates = trusted.hasValidDates(at: now) ? [] : trusted.key.datesWarning
    // As a rule nothing was let in.
    if !algorithm.isLegacy, trusted.exceptions.isEmpty { return dates }
    return (Self.exceptions(algorithm, digests) + trusted.key.exceptions).map {
      "legacy: \($0.name) was allowed by name"
    } + dates
  }
}
