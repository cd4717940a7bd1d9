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
  /// inside that.
  ///
  /// - Parameter reliesOnSHA1: Whether the signature covers SHA-1 digests, whatever its own algorithm.
  ///
  /// - Throws: `key.none`, `algorithm.key-mismatch`, `algorithm.not-allowed`, `algorithm.legacy`,
  ///   `key.weak`, `key.hmac-length`, `key.certificate-dates`, `key.metadata-expired`,
  ///   `signature.invalid`.
  package func match(
    _ signature: [UInt8], over message: Span<UInt8>, _ algorithm: SignatureAlgorithm,
    reliesOnSHA1: Bool = false, at now: Instant
  ) throws(TokenError) -> Match {
    try match(signature.span, over: message, algorithm, reliesOnSHA1: reliesOnSHA1, at: now)
  }

  /// As ``match(_:over:_:reliesOnSHA1:at:)-([UInt8],_,_,_,_)``.
  package func match(
    _ signature: Span<UInt8>, over message: Span<UInt8>, _ algorithm: SignatureAlgorithm,
    reliesOnSHA1: Bool = false, at now: Instant
  ) throws(TokenError) -> Match {
    var obstacle: (error: TokenError, weight: Int)?
    var digest: Digest?
    var isDigested = false
    // By its place, because an iterator counts each key once more.
    for place in keys.indices {
      let trusted = keys[place]
      let key = trusted.key
      if let (error, weight) = Self.obstacle(trusted, key, algorithm, reliesOnSHA1, now) {
        if weight > obstacle?.weight ?? 0 { obstacle = (error, weight) }
        continue
      }
      // The message is digested once, and not before some key may verify it.
      if !isDigested, Self.needsDigest(algorithm) { digest = algorithm.digest.value(of: message) }
      isDigested = true
      if key.isValid(signature, for: message, digest: digest, algorithm) {
        return Match(
          key: key, algorithm: algorithm, warnings: warnings(trusted, algorithm, reliesOnSHA1, now))
      }
    }
    guard isDigested else { throw obstacle?.error ?? TokenError(.noKey) }
    let tried = keys.filter {
      Self.obstacle($0, for: algorithm, reliesOnSHA1: reliesOnSHA1, at: now) == nil
    }
    throw TokenError(
      .signatureInvalid,
      expected: "a signature by " + tried.map(\.key.fingerprint).joined(separator: " or "))
  }

  /// Whether the algorithm signs a digest of the message; others digest by themselves.
  private static func needsDigest(_ algorithm: SignatureAlgorithm) -> Bool {
    switch algorithm.family {
    case .hmac, .ed25519: false
    case .rsaPKCS1, .rsaPSS, .ecdsa: true
    }
  }

  /// Why `key` would be passed over for a signature, or nil when it would be tried.
  package static func obstacle(
    _ key: TrustedKey, for algorithm: SignatureAlgorithm, reliesOnSHA1: Bool,
    at now: Instant
  ) -> TokenError? {
    obstacle(key, key.key, algorithm, reliesOnSHA1, now)?.0
  }

  /// Why `key` may not verify, weighted by how close it came.
  private static func obstacle(
    _ trusted: TrustedKey, _ key: VerificationKey, _ algorithm: SignatureAlgorithm,
    _ reliesOnSHA1: Bool, _ now: Instant
  ) -> (TokenError, Int)? {
    if let validUntil = trusted.validUntil, validUntil <= now {
      return (
        TokenError(
          .metadataExpired, expected: "before \(validUntil.rfc3339)", found: now.rfc3339), 6
      )
    }
    guard key.accepts(algorithm) else {
      return (
        TokenError(
          .algorithmKeyMismatch, expected: "an algorithm of \(key.kindName)",
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
    if algorithm.isLegacy || reliesOnSHA1 {
      for exception in Self.exceptions(algorithm, reliesOnSHA1)
      where !trusted.exceptions.contains(exception) {
        return (TokenError(.legacyAlgorithm, found: exception.name), 3)
      }
    }
    for exception in key.exceptions where !trusted.exceptions.contains(exception) {
      let (code, expected): (TokenError.Code, String) =
        switch exception {
        case .hmacShortKey: (.hmacKeyLength, "32 bytes or more")
        case .rsaSmallExponent: (.weakKey, "an RSA exponent of 65537 or more")
        default: (.weakKey, "RSA of 2048 bits or more")
        }
      return (TokenError(code, expected: expected, found: key.kindName), 4)
    }
    // RFC 7518, 3.2 and RFC 2104, 3: a key shorter than the digest weakens the MAC.
    if let byteCount = key.secretByteCount, byteCount < algorithm.digest.length,
      !trusted.exceptions.contains(.hmacShortKey)
    {
      return (
        TokenError(
          .hmacKeyLength, expected: "\(algorithm.digest.length) bytes or more",
          found: key.kindName), 4
      )
    }
    if trusted.certificateDates == .enforce, !trusted.hasValidDates(at: now) {
      return (TokenError(.certificateDates, found: key.validity), 5)
    }
    return nil
  }

  private static func exceptions(
    _ algorithm: SignatureAlgorithm, _ reliesOnSHA1: Bool
  ) -> [LegacyException] {
    (algorithm.isLegacy ? [.signature(algorithm)] : [])
      + (reliesOnSHA1 ? [.sha1] : [])
  }

  private func warnings(
    _ trusted: TrustedKey, _ algorithm: SignatureAlgorithm, _ reliesOnSHA1: Bool,
    _ now: Instant
  ) -> [String] {
    let dates = trusted.hasValidDates(at: now) ? [] : trusted.key.datesWarning
    // As a rule nothing was let in.
    if !algorithm.isLegacy, trusted.exceptions.isEmpty { return dates }
    return (Self.exceptions(algorithm, reliesOnSHA1) + trusted.key.exceptions).map {
      "legacy: \($0.name) was allowed by name"
    } + dates
  }
}
