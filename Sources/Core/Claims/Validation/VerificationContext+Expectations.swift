import Octets
package import SecurityKeys
package import TokenBasics

/// Only signed texts meet what a caller expects of a token.
extension VerificationContext {
  /// Checks that a signed text is what is expected.
  package mutating func check(
    _ name: Check.Name, _ expected: String, isMetBy found: SignedText?,
    missing: TokenError.Code, mismatch: TokenError.Code, node: @autoclosure () -> String?
  ) {
    run(name) { context throws(TokenError) in
      guard let found, !found.text.isEmpty else {
        throw TokenError(missing, node: node(), expected: TokenError.excerpt(expected))
      }
      guard found.meets(expected) else {
        throw TokenError(
          mismatch, node: node(), expected: TokenError.excerpt(expected),
          found: TokenError.excerpt(found.text))
      }
      context.pass(name, node: node(), found: found.text)
    }
  }

  /// Checks that an unsigned text does not contradict what is expected, which proves nothing. Returns
  /// whether it does not.
  @discardableResult
  package mutating func check(
    _ name: Check.Name, _ expected: String, isNotContradictedBy found: UnsignedText?,
    mismatch: TokenError.Code, node: @autoclosure () -> String?
  ) -> Bool {
    guard let found, found.contradicts(expected) else { return true }
    fail(
      name,
      TokenError(
        mismatch, node: node(), expected: TokenError.excerpt(expected),
        found: TokenError.excerpt(found.text)))
    return false
  }

  /// Refuses a token that has no signed place for the recipient that is expected.
  package mutating func refuseRecipient(
    node: @autoclosure () -> String? = nil, found: @autoclosure () -> String? = nil
  ) {
    guard let expected = expectations.recipient else { return }
    fail(
      .destination,
      TokenError(
        .recipientUnprovable, node: node(), expected: TokenError.excerpt(expected), found: found()))
  }

  /// Refuses a token that has no place for the key binding that is demanded.
  package mutating func refuseKeyBinding() {
    guard expectations.keyBinding != nil else { return }
    fail(.binding, TokenError(.bindingMissing, expected: "an SD-JWT with a key-binding JWT"))
  }

  /// Refuses a token that has no signed place for the request that is expected.
  package mutating func refuseRequest(
    node: @autoclosure () -> String? = nil, found: @autoclosure () -> String? = nil
  ) {
    guard let expected = expectations.inResponseTo else { return }
    fail(
      .request,
      TokenError(
        .requestUnprovable, node: node(), expected: TokenError.excerpt(expected), found: found()))
  }
}

extension VerificationContext {
  /// Checks that the token is meant for one of our audiences: each restriction must name one, and
  /// there must be a restriction.
  ///
  /// - Parameters:
  ///   - texts: What the places in `restrictions` refer to.
  ///   - presented: The audience that is proved otherwise, of a token without a restriction.
  ///   - advice: What to say of a token that names no audience or another one, by what it names.
  package mutating func check(
    _ restrictions: AudienceRestrictions, in texts: borrowing some ClaimTexts & ~Copyable,
    node: @autoclosure () -> String?, orElse presented: String? = nil,
    advice: ([String]) -> AudienceAdvice? = { _ in nil }
  ) {
    guard case .oneOf(let ours) = trust.audiences else {
      return skip(.audience, because: "any audience was allowed")
    }
    guard !ours.isEmpty else { return fail(.audience, TokenError(.audienceNotConfigured)) }
    guard restrictions.count > 0 else {
      if let presented, ours.contains(where: { $0.hasSameBytes(as: presented) }) {
        return pass(.audience, expected: ours.joined(separator: " or "), found: presented)
      }
      let advice = advice([])
      return fail(
        .audience,
        TokenError(
          .audienceMissing, node: node(), expected: ours.joined(separator: " or "),
          found: advice?.found, hint: advice?.hint))
    }
    if let unmet = restrictions.firstUnmet(by: ours, in: texts) {
      let named = restrictions.strings(of: unmet, in: texts)
      return fail(
        .audience,
        TokenError(
          .audienceMismatch, node: node(), expected: ours.joined(separator: " or "),
          found: named.prefix(4).map(TokenError.excerpt).joined(separator: " or "),
          hint: NameDifference.hint(named, ours) ?? advice(named)?.hint))
    }
    guard journal.isDetailed else { return }
    let named = (1...restrictions.count).flatMap { restrictions.strings(of: $0, in: texts) }
    pass(
      .audience, node: node(), expected: ours.joined(separator: " or "),
      found: named.joined(separator: " or "))
  }
}

/// What a format knows about a token whose audience is not ours.
package struct AudienceAdvice {
  /// What the token has in place of an audience.
  package let found: String?
  /// What to do in that situation.
  package let hint: String

  package init(found: String? = nil, hint: String) {
    self.found = found
    self.hint = hint
  }
}

extension VerificationContext {
  /// Checks a validity window (SAML Core 2.5.1): from `notBefore` − skew on, and before `expires` + skew.
  ///
  /// - Parameter endless: What to do about a token of this format that never expires.
  package mutating func checkWindow(
    notBefore: Instant?, expires: Instant?, node: @autoclosure () -> String?,
    endless: @autoclosure () -> String? = nil
  ) {
    run(.time) { context throws(TokenError) in
      let (now, skew) = (context.now, context.skew)
      guard let expires = expires ?? context.expectations.assumedEnd else {
        throw TokenError(.noExpiry, node: node(), hint: endless())
      }
      if let notBefore {
        guard notBefore < expires else {
          throw TokenError(
            .emptyWindow, node: node(), expected: "an end after \(notBefore.rfc3339)",
            found: expires.rfc3339)
        }
        let earliest = notBefore.advanced(bySeconds: -skew)
        guard now >= earliest else {
          let difference = "\(notBefore.distance(after: now))"
          throw TokenError(
            .notYetValid, node: node(),
            expected: "\(notBefore.withMilliseconds) - \(skew) s or later",
            found: now.withMilliseconds + ", \(difference) too early", .difference(difference))
        }
      }
      let latest = expires.advanced(bySeconds: skew)
      guard now < latest else {
        let difference = "\(now.distance(after: expires))"
        throw TokenError(
          .expired, node: node(), expected: "before \(expires.withMilliseconds) + \(skew) s",
          found: now.withMilliseconds + ", expired \(difference) ago", .difference(difference))
      }
      context.pass(
        .time, node: node(), expected: "before \(expires.rfc3339) + \(skew) s",
        found: now.rfc3339)
    }
  }

  /// Checks that the moment of issue does not lie in the future.
  package mutating func checkIssueInstant(_ issued: Instant, node: @autoclosure () -> String?) {
    guard !isPast(issued) else { return }
    fail(
      .time,
      TokenError(
        .issuedInFuture, node: node(), expected: "before \(now.rfc3339)",
        found: issued.rfc3339 + ", \(issued.distance(after: now)) ahead"))
  }

  /// Whether a moment has passed, by the clock and its skew.
  package func isPast(_ instant: Instant) -> Bool { instant.advanced(bySeconds: -skew) <= now }
}

/// What the caller expects of one token: the short-lived half of a decision. Only signed texts meet it.
public struct Expectations: Hashable, Sendable {
  /// The address that the token was delivered to: SAML 2.0 names it in the bearer confirmation, SAML 1.1
  /// in a response that is signed itself. Nothing else can name one and is refused
  /// (`response.recipient-unprovable`). Nil to expect none.
  public var recipient: String?
  /// The request to which the token must respond: SAML names it as InResponseTo, in the same places, a JWT as
  /// `nonce`. Nothing else can name one and is refused (`response.in-response-to-unprovable`). Nil to
  /// expect none.
  public var inResponseTo: String?

  /// The proof that the holder of an SD-JWT has to give. Nil to demand none: then one that is there is not read. A token of
  /// another format has no place for it and is refused (`binding.missing`).
  public var keyBinding: KeyBindingDemand?
  /// The addresses of which a recipient that a SAML 2.0 confirmation names has to be one; nil for any. Unlike
  /// ``recipient`` it demands none.
  package var allowedRecipients: [String]?
  /// Whether one has to be named where ``allowedRecipients`` are given (RFC 7522, 3).
  package var demandsRecipient = false

  /// Whether the token may respond to no request: one that names a request was asked for by another browser.
  package var isUnsolicited = false

  /// The end of a token that names none; nil to refuse such a token.
  package var assumedEnd: Instant?

  /// Whether nothing is expected.
  package var isEmpty: Bool { recipient == nil && inResponseTo == nil && keyBinding == nil }

  /// Expectations; what is left out is not expected.
  public init(
    recipient: String? = nil, inResponseTo: String? = nil, keyBinding: KeyBindingDemand? = nil
  ) {
    self.recipient = recipient
    self.inResponseTo = inResponseTo
    self.keyBinding = keyBinding
  }
}

/// What the key-binding JWT of an SD-JWT must say (RFC 9901, 4.3).
public struct KeyBindingDemand: Hashable, Sendable {
  /// Who the presentation is for: its one `aud`, byte for byte.
  public var audience: String
  /// The `nonce` that we gave for this presentation; nil for any, with which it can be sent again within its time.
  public var nonce: String?

  /// A demand.
  public init(audience: String, nonce: String?) {
    self.audience = audience
    self.nonce = nonce
  }
}

/// A text that a verified signature covers. Only such texts meet what a caller expects.
package struct SignedText {
  package let text: String

  /// - Parameter match: The result of verifying the signature over the text, which only a valid signature
  ///   has.
  package init(_ text: String, coveredBy match: borrowing KeyRing.Match) { self.text = text }

  package func meets(_ expected: String) -> Bool { text.hasSameBytes(as: expected) }
}

/// A text that no signature covers, which the sender of the token may have written. It can contradict what
/// a caller expects; it never meets it.
package struct UnsignedText {
  package let text: String

  /// Nil where there is no text. An empty one is there, and contradicts whatever is expected.
  package init?(_ text: String?) {
    guard let text else { return nil }
    self.text = text
  }

  package func contradicts(_ expected: String) -> Bool { !text.hasSameBytes(as: expected) }
}
