package import SecurityKeys
public import TokenBasics

/// What the verification of one token works with: the trust, what the caller expects, the clock, and the
/// journal of the checks. The checks that formats share are methods of it.
///
/// Only this package makes one, and only its formats use it.
public struct VerificationContext: Sendable {
  package let trust: Trust
  package let expectations: Expectations
  package let now: Instant
  @usableFromInline package private(set) var journal: CheckJournal

  @usableFromInline
  package init(_ trust: Trust, _ expectations: Expectations, at now: Instant, isDetailed: Bool) {
    self.trust = trust
    self.expectations = expectations
    self.now = now
    journal = CheckJournal(isDetailed: isDetailed)
  }

  package var limits: Limits { trust.limits }
  /// In seconds.
  package var skew: Int64 { Int64(trust.skew) }

  /// The exceptions of all trusted keys. The issuer of a token is unknown until it is decrypted.
  package var exceptions: Set<LegacyException> {
    var found: Set<LegacyException> = []
    for issuer in trust.issuers { found.formUnion(issuer.exceptions) }
    return found
  }

  // MARK: Recording

  package mutating func pass(
    _ name: Check.Name, node: @autoclosure () -> String? = nil,
    expected: @autoclosure () -> String? = nil, found: @autoclosure () -> String? = nil
  ) {
    journal.pass(name, node: node(), expected: expected(), found: found())
  }

  /// Records the key that verified the signature at `node`, and the exceptions that were made for it.
  ///
  /// - Parameter namesAlgorithm: Whether the format leaves a choice of algorithms.
  package mutating func pass(
    signature match: KeyRing.Match, node: @autoclosure () -> String, namesAlgorithm: Bool = true
  ) {
    journal.warn(match.warnings)
    // Not in a closure, which would retain the key.
    guard journal.isDetailed else { return }
    let key = match.key.fingerprint
    journal.pass(
      .signature, node: node(), found: namesAlgorithm ? "\(match.algorithm) by \(key)" : key)
  }

  package mutating func skip(_ name: Check.Name, because reason: @autoclosure () -> String) {
    journal.skip(name, because: reason())
  }

  @usableFromInline
  package mutating func fail(_ name: Check.Name, _ error: TokenError) { journal.fail(name, error) }

  /// Records a failure that ends the validation.
  ///
  /// - Returns: `error`, to throw.
  package mutating func failing(_ name: Check.Name, _ error: TokenError) -> TokenError {
    journal.fail(name, error)
    return error
  }

  package mutating func warn(_ texts: [String]) { journal.warn(texts) }

  /// Runs a check on which others depend: its failure ends the validation.
  package mutating func require<Value>(
    _ name: Check.Name, _ body: (inout Self) throws(TokenError) -> Value
  ) throws(TokenError) -> Value {
    do {
      return try body(&self)
    } catch {
      throw failing(name, error)
    }
  }

  /// Runs a check on which no other depends: its failure is recorded and the next check runs.
  package mutating func run(
    _ name: Check.Name, _ body: (inout Self) throws(TokenError) -> Void
  ) {
    do {
      try body(&self)
    } catch {
      journal.fail(name, error)
    }
  }
}
