public import HTTPExchange
import Octets
import SecurityKeys
public import TokenBasics

/// Seals pending sign-ins into cookies and opens them.
///
/// Every instance of a service that shares the keys finishes what another began. A cookie of another
/// service, another purpose or another name does not open.
public struct SignInSealer: Sendable {
  /// The names of the cookies begin so; eight digits of the request follow.
  public let cookiePrefix: String
  private let cookies: CookieSeal
  private let origin: String

  /// - Parameters:
  ///   - origin: The public origin of the service; part of what is sealed.
  ///   - keys: Keys of 32 octets each. The first seals, all open, so that a change of keys ends no
  ///     sign-in. Nil for a random one, which is lost with the process.
  /// - Throws: `signin.configuration` for a key of another length, or no key.
  public init(
    origin: HTTPOrigin, keys: [[UInt8]]? = nil
  ) throws(TokenError) {
    self.origin = origin.description
    let keys = keys ?? [SystemRandom.octets(SealingKey.length)]
    let sealing = keys.compactMap(SealingKey.init)
    guard sealing.count == keys.count, !keys.isEmpty else {
      throw TokenError(
        .signInConfiguration, node: "keys", expected: "keys of \(SealingKey.length) octets")
    }
    cookies = CookieSeal(sealing)
    cookiePrefix =
      (origin.scheme == "https" ? SiteCookie.hostPrefix : "") + SiteCookie.pending.name
  }

  /// The name of the cookie for a request.
  public func cookieName(of request: String) -> String { cookiePrefix + request.prefix(8) }

  /// The value of the cookie for a pending sign-in.
  public func seal(_ pending: PendingSignIn) -> Secret {
    cookies.seal(pending.json, for: context(String(pending.request.prefix(8))))
  }

  /// The pending sign-in of a request.
  ///
  /// - Parameters:
  ///   - request: The identifier of the request.
  ///   - cookie: The value of the cookie ``cookieName(of:)``; nil if the browser sent none.
  ///   - kind: What the pending sign-in has to be for.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `signin.unknown-request` without a cookie, `signin.finished` for the rest of one that has
  ///   succeeded, `signin.cookie`, `signin.expired`.
  public func open(
    _ request: String, _ cookie: Secret?, _ kind: PendingSignIn.Kind, at now: Instant
  ) throws(TokenError) -> PendingSignIn {
    guard let cookie else { throw TokenError(.signInUnknown) }
    guard let pending = unsealed(cookie, String(request.prefix(8))),
      pending.request.hasSameBytes(as: request)
    else { throw TokenError(.signInCookie) }
    guard pending.kind == kind else {
      throw TokenError(pending.kind == .finished ? .signInFinished : .signInCookie)
    }
    guard now < pending.expires else {
      throw TokenError(
        .signInExpired, expected: "before \(pending.expires.rfc3339)", found: now.rfc3339)
    }
    return pending
  }

  /// The names of the cookies of pending sign-ins that have to go before another one begins: those that
  /// cannot be opened or are over, beyond the last ``mostPending`` - 1 the finished and the oldest, and those that
  /// would make the `Cookie` field longer than servers take.
  public func surplus(in cookies: CookieJar, at now: Instant) -> [String] {
    var open: [(name: String, isFinished: Bool, begun: Instant)] = []
    var surplus: [String] = []
    for name in cookies.names {
      guard let digits = digits(of: name) else { continue }
      if let pending = cookies[name].flatMap({ unsealed($0, digits) }), now < pending.expires {
        open.append((name, pending.kind == .finished, pending.begun))
      } else {
        surplus.append(name)
      }
    }
    open.sort { left, right in
      left.isFinished == right.isFinished ? left.begun > right.begun : right.isFinished
    }
    var octets = 0
    let kept = open.prefix(Self.mostPending - 1).prefix { pending in
      octets += pending.name.utf8.count + (cookies[pending.name]?.revealed.utf8.count ?? 0) + 3
      return octets <= Self.mostOctets
    }
    return surplus + open.dropFirst(kept.count).map(\.name)
  }

  /// The most octets of the cookies of earlier sign-ins: 3,584. With the next one, for an address of 2,048 octets, a
  /// `Cookie` field stays below the 8 KiB that nginx and others take.
  static let mostOctets = 3_584

  /// The most sign-ins that are pending in one browser: 5.
  public static let mostPending = 5

  /// The digits in the name of such a cookie; nil for another name.
  private func digits(of name: String) -> String? {
    guard name.hasPrefix(cookiePrefix) else { return nil }
    let digits = name.dropFirst(cookiePrefix.count)
    return digits.utf8.count == 8 && digits.utf8.allSatisfy(Hex.isLowercaseDigit)
      ? String(digits) : nil
  }

  /// Seals which session a message of sign-out ends that comes without the session's own cookie.
  package func seal(ending session: SessionID) -> Secret {
    cookies.seal(session.digest, for: context("end"))
  }

  /// The session that ``seal(ending:)`` sealed; nil for anything else.
  package func sessionToEnd(_ cookie: Secret) -> SessionID? {
    cookies.open(cookie, for: context("end")).flatMap { SessionID(digest: $0) }
  }

  /// Seals what is for one purpose alone.
  package func seal(_ octets: [UInt8], for purpose: String) -> Secret {
    cookies.seal(octets, for: [purpose, origin])
  }

  /// What ``seal(_:for:)`` sealed for that purpose; nil for anything else.
  package func open(_ sealed: Secret, for purpose: String) -> [UInt8]? {
    cookies.open(sealed, for: [purpose, origin])
  }

  private func unsealed(_ cookie: Secret, _ digits: String) -> PendingSignIn? {
    cookies.open(cookie, for: context(digits)).flatMap(PendingSignIn.init(json:))
  }

  private func context(_ digits: String) -> [String] { ["pending sign-in", origin, digits] }
}
