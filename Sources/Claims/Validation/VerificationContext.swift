public import Instants
import Octets
package import SecurityKeys
public import TokenErrors

/// What a format's verification works with, and where it notes what it did.
public struct VerificationContext: Sendable {
  package let trust: Trust
  package let expectations: Expectations
  package let now: Instant
  @usableFromInline package private(set) var checks: [Check] = []
  @usableFromInline package private(set) var warnings: [String] = []
  @usableFromInline package private(set) var firstFailure: TokenError?
  /// Whether passed and skipped checks are noted too.
  package let isDetailed: Bool

  @usableFromInline
  package init(_ trust: Trust, _ expectations: Expectations, at now: Instant, isDetailed: Bool) {
    self.trust = trust
    self.expectations = expectations
    self.now = now
    self.isDetailed = isDetailed
  }

  package var limits: Limits { trust.limits }
  package var skew: Int { trust.skew }

  /// What some trusted key lets in by name. Before a token is decrypted nobody knows its issuer.
  package var exceptions: Set<LegacyException> {
    var found: Set<LegacyException> = []
    for issuer in trust.issuers { found.formUnion(issuer.exceptions) }
    return found
  }

  /// What was noted, handed over.
  @usableFromInline
  package consuming func notes() -> Verdict.Notes {
    Verdict.Notes(checks: checks, warnings: warnings)
  }

  // MARK: Noting

  package mutating func pass(
    _ name: Check.Name, node: @autoclosure () -> String? = nil,
    expected: @autoclosure () -> String? = nil, found: @autoclosure () -> String? = nil
  ) {
    guard isDetailed else { return }
    checks.append(
      Check(
        name: name, outcome: .passed, expected: expected(), found: found(), node: node(), error: nil
      ))
  }

  /// Notes the key that verified the signature at `node`, and what was let in for it.
  ///
  /// - Parameter namesAlgorithm: Whether the format leaves a choice of algorithms.
  package mutating func pass(
    signature match: KeyRing.Match, node: @autoclosure () -> String, namesAlgorithm: Bool = true
  ) {
    warn(match.warnings)
    // No closure for the text: it would hold the key.
    guard isDetailed else { return }
    let key = match.key.fingerprint
    pass(.signature, node: node(), found: namesAlgorithm ? "\(match.algorithm) by \(key)" : key)
  }

  package mutating func skip(_ name: Check.Name, because reason: @autoclosure () -> String) {
    guard isDetailed else { return }
    checks.append(
      Check(
        name: name, outcome: .skipped, expected: nil, found: reason(), node: nil, error: nil))
  }

  @usableFromInline
  package mutating func fail(_ name: Check.Name, _ error: TokenError) {
    if firstFailure == nil { firstFailure = error }
    checks.append(
      Check(
        name: name, outcome: .failed, expected: error.expected, found: error.found,
        node: error.node, error: error))
  }

  package mutating func warn(_ texts: [String]) {
    guard !texts.isEmpty else { return }
    // As a rule they are the first, and the list is handed on.
    if warnings.isEmpty { warnings = texts } else { warnings += texts }
  }

  /// Runs a check on which others depend: its failure ends the validation.
  package mutating func require<Value>(
    _ name: Check.Name, _ body: (inout Self) throws(TokenError) -> Value
  ) throws(TokenError) -> Value {
    do {
      return try body(&self)
    } catch {
      fail(name, error)
      throw error
    }
  }

  /// Runs a check on which no other depends: its failure is noted and the next one is looked at.
  package mutating func run(
    _ name: Check.Name, _ body: (inout Self) throws(TokenError) -> Void
  ) {
    do {
      try body(&self)
    } catch {
      fail(name, error)
    }
  }

  // MARK: Checks that every format shares

  /// The entry of the trust whose keys vouch for `issuer`, a name in UTF-8, in `format`.
  ///
  /// - Throws: `issuer.missing`, `issuer.untrusted`, `issuer.ambiguous`, `key.none`.
  package mutating func entry(
    forIssuer issuer: ArraySlice<UInt8>, _ format: TokenFormat,
    node: @autoclosure () -> String? = nil
  ) throws(TokenError) -> TrustedIssuer {
    guard !issuer.isEmpty else {
      let error = TokenError(.issuerMissing, node: node())
      fail(.issuer, error)
      throw error
    }
    if let only = onlyEntry(format, where: { $0.isIssuer(issuer) }) { return only }
    let named = trust.entries(for: issuer)
    guard !named.isEmpty || trust.issuers.isEmpty else {
      let names = trust.issuers.compactMap { trusted in
        if case .exactly(let name) = trusted.name { name } else { nil }
      }
      let error = TokenError(
        .issuerUntrusted, node: node(),
        expected: names.prefix(4).joined(separator: " or "),
        found: TokenError.excerpt(String(decoding: issuer, as: UTF8.self)))
      fail(.issuer, error)
      throw error
    }
    pass(
      .issuer, node: node(), found: TokenError.excerpt(String(decoding: issuer, as: UTF8.self)))
    let vouching = named.filter { $0.vouches(for: format) && !$0.keys.isEmpty }
    guard let entry = vouching.first else {
      let error = TokenError(.noKey, node: node(), expected: "a key for \(format)")
      fail(.key, error)
      throw error
    }
    guard vouching.count == 1 else {
      let error = TokenError(
        .ambiguousIssuer, node: node(), expected: "one entry for \(format)",
        found: "\(vouching.count) entries")
      fail(.key, error)
      throw error
    }
    return entry
  }

  /// The entry of the trust whose keys vouch for the issuer that `facts` name.
  ///
  /// - Throws: as ``entry(forIssuer:_:node:)``.
  package mutating func entry(
    for facts: TokenFacts, _ format: TokenFormat, node: @autoclosure () -> String? = nil
  ) throws(TokenError) -> TrustedIssuer {
    let only = onlyEntry(format) { facts.issuerText.byteCount > 0 && $0.isIssuer(of: facts) }
    if let only { return only }
    return try entry(forIssuer: facts.issuerBytes, format, node: node())
  }

  /// The only entry of the trust, when the token is its issuer's: the usual case, which needs no lists.
  /// Nil where there is more to ask, or to report.
  @inline(__always)
  private func onlyEntry(
    _ format: TokenFormat, where isNamed: (TrustedIssuer) -> Bool
  ) -> TrustedIssuer? {
    let issuers = trust.issuers
    guard !isDetailed, issuers.count == 1, let only = issuers.first, isNamed(only),
      only.vouches(for: format), !only.keys.isEmpty
    else { return nil }
    return only
  }

  /// The audiences that `facts` name are one restriction; without any there is none.
  package mutating func checkAudiences(of facts: TokenFacts, node: @autoclosure () -> String?) {
    // The usual case needs no text.
    if let ours = ourAudiences, facts.isFor(oneOf: ours) { return }
    checkAudiences(facts.audienceCount == 0 ? [] : [facts.audiences], node: node())
  }

  /// Whether the audiences may be checked by what holds, without a text for a report.
  package var ourAudiences: [String]? {
    guard !isDetailed, case .oneOf(let ours) = trust.audiences else { return nil }
    return ours
  }

  /// Audience restrictions: one match inside each restriction, and every restriction must have one.
  package mutating func checkAudiences(_ restrictions: [[String]], node: @autoclosure () -> String?)
  {
    guard case .oneOf(let ours) = trust.audiences else {
      return skip(.audience, because: "any audience was allowed")
    }
    run(.audience) { context throws(TokenError) in
      guard !ours.isEmpty else { throw TokenError(.audienceNotConfigured) }
      guard !restrictions.isEmpty else {
        throw TokenError(
          .audienceMissing, node: node(), expected: ours.joined(separator: " or "))
      }
      for restriction in restrictions
      where !restriction.contains(where: { ours.containsBytes(of: $0) }) {
        throw TokenError(
          .audienceMismatch, node: node(), expected: ours.joined(separator: " or "),
          found: restriction.prefix(4).map(TokenError.excerpt).joined(separator: " or "))
      }
      context.pass(
        .audience, node: node(), expected: ours.joined(separator: " or "),
        found: restrictions.joined().joined(separator: " or "))
    }
  }

  /// A validity window (SAML Core 2.5.1): from `notBefore` − skew on, and before `expires` + skew.
  package mutating func checkWindow(
    notBefore: Instant?, expires: Instant?, node: @autoclosure () -> String?
  ) {
    run(.time) { context throws(TokenError) in
      let skew = Int64(context.trust.skew)
      let now = context.now
      guard let expires else { throw TokenError(.noExpiry, node: node()) }
      if let notBefore {
        guard notBefore < expires else {
          throw TokenError(
            .emptyWindow, node: node(), expected: "an end after \(notBefore.rfc3339)",
            found: expires.rfc3339)
        }
        guard now >= notBefore.advanced(bySeconds: -skew) else {
          throw TokenError(
            .notYetValid, node: node(),
            expected: "\(notBefore.withMilliseconds) - \(skew) s or later",
            found: now.withMilliseconds + ", too early by "
              + notBefore.advanced(bySeconds: -skew).distance(after: now))
        }
      }
      guard now < expires.advanced(bySeconds: skew) else {
        throw TokenError(
          .expired, node: node(), expected: "before \(expires.withMilliseconds) + \(skew) s",
          found: now.withMilliseconds + ", too late by "
            + now.distance(after: expires.advanced(bySeconds: skew)))
      }
      context.pass(
        .time, node: node(), expected: "before \(expires.rfc3339) + \(skew) s",
        found: now.rfc3339)
    }
  }

  /// A moment that must not lie in the future.
  package func isPast(_ instant: Instant) -> Bool {
    instant.advanced(bySeconds: -Int64(trust.skew)) <= now
  }
}
