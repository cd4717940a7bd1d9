package import TokenBasics

/// The keys that may have made one signature.
package struct KeyRing: Sendable {
  package let keys: [TrustedKey]

  package init(_ keys: [TrustedKey]) { self.keys = keys }

  /// The key that verified a signature, and the report's warnings about it.
  package struct Match: Sendable {
    package let key: VerificationKey
    package let algorithm: SignatureAlgorithm
    package var warnings: [String]
  }

  /// Finds the key that made `signature` over `message`.
  ///
  /// A key's own type and the policy around it decide what it may verify; the message only picks
  /// among that.
  ///
  /// - Parameters:
  ///   - reliesOnSHA1: Whether the signature covers SHA-1 digests, whatever its own algorithm.
  ///   - mayBeASN1: Whether an ECDSA signature may be ASN.1, which
  ///     ``LegacyException/ecdsaASN1`` has to allow.
  ///
  /// - Throws: `key.none`, `algorithm.key-mismatch`, `algorithm.not-allowed`, `algorithm.legacy`,
  ///   `key.weak`, `key.hmac-length`, `key.certificate-dates`, `key.metadata-expired`,
  ///   `signature.invalid`.
  package func match(
    _ signature: [UInt8], over message: Span<UInt8>, _ algorithm: SignatureAlgorithm,
    reliesOnSHA1: Bool = false, mayBeASN1: Bool = false, at now: Instant
  ) throws(TokenError) -> Match {
    try match(
      signature.span, over: message, algorithm, reliesOnSHA1: reliesOnSHA1, mayBeASN1: mayBeASN1,
      at: now)
  }

  /// As ``match(_:over:_:reliesOnSHA1:mayBeASN1:at:)-([UInt8],_,_,_,_,_)``.
  package func match(
    _ signature: Span<UInt8>, over message: Span<UInt8>, _ algorithm: SignatureAlgorithm,
    reliesOnSHA1: Bool = false, mayBeASN1: Bool = false, at now: Instant
  ) throws(TokenError) -> Match {
    // Decided by its form alone, so that what is rejected by default is rejected before a key is used.
    let isSequence =
      mayBeASN1 && algorithm.family == .ecdsa && ECDSASequence.isSequence(signature)
    var obstacle: (error: TokenError, weight: Int)?
    var digest: Digest?
    var isDigested = false
    // By index, because an iterator retains each key once more.
    for place in keys.indices {
      let trusted = keys[place]
      let key = trusted.key
      let use = Use(
        algorithm, reliesOnSHA1: reliesOnSHA1,
        isASN1: isSequence && !key.hasWidth(of: signature))
      if let (error, weight) = Self.obstacle(trusted, key, use, now) {
        if weight > obstacle?.weight ?? 0 { obstacle = (error, weight) }
        continue
      }
      // The message is digested once, and not before some key may verify it.
      if !isDigested, algorithm.signsDigest { digest = algorithm.digest.value(of: message) }
      isDigested = true
      if key.isValid(signature, for: message, digest: digest, algorithm, isASN1: use.isASN1) {
        return Match(key: key, algorithm: algorithm, warnings: Self.warnings(trusted, use, now))
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

  /// The error for which `key` is skipped, or nil when it would be tried.
  package static func obstacle(
    _ key: TrustedKey, for algorithm: SignatureAlgorithm, reliesOnSHA1: Bool,
    at now: Instant
  ) -> TokenError? {
    obstacle(key, key.key, Use(algorithm, reliesOnSHA1: reliesOnSHA1, isASN1: false), now)?.0
  }

  /// What a signature requires of a key.
  private struct Use {
    let algorithm: SignatureAlgorithm
    let reliesOnSHA1: Bool
    let isASN1: Bool

    init(_ algorithm: SignatureAlgorithm, reliesOnSHA1: Bool, isASN1: Bool) {
      self.algorithm = algorithm
      self.reliesOnSHA1 = reliesOnSHA1
      self.isASN1 = isASN1
    }

    /// Whether anything has to be allowed by name; usually nothing.
    var isLegacy: Bool { algorithm.isLegacy || reliesOnSHA1 || isASN1 }

    /// What has to be allowed by name.
    var exceptions: [LegacyException] {
      (algorithm.isLegacy ? [.signature(algorithm)] : []) + (reliesOnSHA1 ? [.sha1] : [])
        + (isASN1 ? [.ecdsaASN1] : [])
    }

    /// Whether `exception` is allowed. Allowing a signature algorithm allows its digest.
    func isAllowed(_ exception: LegacyException, by allowed: Set<LegacyException>) -> Bool {
      allowed.contains(exception)
        || exception == .sha1 && algorithm.isLegacy && allowed.contains(.signature(algorithm))
    }
  }

  /// The error for which `key` may not verify, weighted by how close the key came.
  private static func obstacle(
    _ trusted: TrustedKey, _ key: VerificationKey, _ use: Use, _ now: Instant
  ) -> (TokenError, Int)? {
    let algorithm = use.algorithm
    if let validUntil = trusted.validUntil, validUntil <= now {
      return (
        TokenError(
          .metadataExpired, expected: "before \(validUntil.rfc3339)",
          found: now.rfc3339 + ", expired \(now.distance(after: validUntil)) ago"), 6
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
      return (notAllowed(algorithm, allowed, reserved: trusted.origin?.reserved), 2)
    }
    if use.isLegacy {
      for exception in use.exceptions where !use.isAllowed(exception, by: trusted.exceptions) {
        let expected = exception == .ecdsaASN1 ? "r and s side by side, no ASN.1" : nil
        return (TokenError(.legacyAlgorithm, expected: expected, found: exception.name), 3)
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

  private static func notAllowed(
    _ algorithm: SignatureAlgorithm, _ allowed: [SignatureAlgorithm],
    reserved: SignatureAlgorithm?
  ) -> TokenError {
    guard let reserved, reserved != algorithm else {
      return TokenError(
        .algorithmNotAllowed, expected: allowed.map(\.name).joined(separator: " or "),
        found: algorithm.name)
    }
    let (own, other) = (reserved.nameInJOSE, algorithm.nameInJOSE)
    return TokenError(
      .algorithmNotAllowed, expected: "\(own), the alg of the key in its key set", found: other,
      hint: "the key set reserves this key for \(own): the issuer must sign with it, or publish a "
        + "key for "
        + other)
  }

  private static func warnings(_ trusted: TrustedKey, _ use: Use, _ now: Instant) -> [String] {
    let dates = trusted.hasValidDates(at: now) ? [] : trusted.key.datesWarning
    // Usually no exception was needed.
    if !use.isLegacy, trusted.exceptions.isEmpty { return dates }
    return use.exceptions.map {
      trusted.exceptions.contains($0)
        ? "legacy: \($0.name) was allowed by name"
        : "legacy: \($0.name) was allowed with \(use.algorithm.name)"
    } + trusted.key.exceptions.map { "legacy: \($0.name) was allowed by name" } + dates
  }
}
