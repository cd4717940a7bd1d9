package import Instants
import TokenErrors

extension VerificationContext {
  /// Checks a validity window (SAML Core 2.5.1): from `notBefore` − skew on, and before `expires` + skew.
  package mutating func checkWindow(
    notBefore: Instant?, expires: Instant?, node: @autoclosure () -> String?
  ) {
    run(.time) { context throws(TokenError) in
      let (now, skew) = (context.now, context.skew)
      guard let expires else { throw TokenError(.noExpiry, node: node()) }
      if let notBefore {
        guard notBefore < expires else {
          throw TokenError(
            .emptyWindow, node: node(), expected: "an end after \(notBefore.rfc3339)",
            found: expires.rfc3339)
        }
        let earliest = notBefore.advanced(bySeconds: -skew)
        guard now >= earliest else {
          throw TokenError(
            .notYetValid, node: node(),
            expected: "\(notBefore.withMilliseconds) - \(skew) s or later",
            found: now.withMilliseconds + ", \(notBefore.distance(after: now)) too early")
        }
      }
      let latest = expires.advanced(bySeconds: skew)
      guard now < latest else {
        throw TokenError(
          .expired, node: node(), expected: "before \(expires.withMilliseconds) + \(skew) s",
          found: now.withMilliseconds + ", expired \(now.distance(after: expires)) ago")
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
