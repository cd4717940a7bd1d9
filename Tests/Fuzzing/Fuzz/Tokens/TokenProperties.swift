import Federation
import Foundation
import Synchronization

/// The properties of every token, in every format.
struct TokenProperties: Sendable {
  let world: World
  private let validator: TokenValidator<AnyToken>

  init(_ world: World) {
    self.world = world
    validator = TokenValidator(world.trust)
  }

  /// Reads and validates in every way; returns the accepted content.
  @discardableResult
  func check(
    _ octets: [UInt8], as pinned: PinnedFormat? = nil
  ) -> (token: AnyToken, verified: Verified<AnyToken>)? {
    let read = Self.read(octets, pinned)
    let outcome = outcome(read)
    // P7: the same again, on this thread and, now and then, on one with a small stack.
    require(self.outcome(Self.read(octets, pinned)) == outcome, "the second verdict is the first")
    if Self.isChosen(octets) {
      let other = onSmallStack { self.outcome(Self.read(octets, pinned)) }
      require(other == outcome, "another thread's verdict is the first")
    }
    guard case .success(let token) = read else {
      if case .failure(let error) = read { ErrorHygiene.check(error, octets) }
      return nil
    }
    let report = validator.report(on: token, at: world.now, expecting: world.expectations)
    require(Outcome(report.result) == outcome, "a verdict with details is the one without")
    report.checks.compactMap(\.error).forEach { ErrorHygiene.check($0, octets) }
    let failed = report.checks.first { $0.outcome == .failed }
    if case .failure = report.result { require(failed != nil, "a refusal names a check") }
    checkFormat(token, octets, outcome, pinned)
    require(token.description.utf8.count < 64, "a token's description does not show it")
    _ = token.unverifiedClaims
    _ = token.unverifiedFacts
    guard case .success(let verified) = report.result else { return nil }
    require(failed == nil, "nothing failed in what is accepted")
    return (token, verified)
  }

  /// The token of its own type has the verdict of ``AnyToken``, and so has the pinned format.
  private func checkFormat(
    _ token: AnyToken, _ octets: [UInt8], _ outcome: Outcome, _ pinned: PinnedFormat?
  ) {
    let own: Outcome
    switch token {
    case .swt(let token): own = self.own(token)
    case .saml(let token): own = self.own(token)
    case .jwt(let token): own = self.own(token)
    case .encryptedJWT(let token): own = self.own(token)
    case .sdjwt(let token): own = self.own(token)
    }
    require(own == outcome, "a validator of the format has the same verdict")
    guard pinned == nil else { return }
    for format in PinnedFormat.allCases where format != .rstr {
      let verdict = self.outcome(Self.read(octets, format))
      if format.rawValue == token.format.name {
        // These two are pinned to the bare token; inside an envelope they are rejected.
        let isBare = format == .saml11 || format == .saml20
        require(verdict == outcome || !isBare, "pinning its own format changes nothing")
      } else if case .accepted = verdict {
        fail("accepted as \(token.format) and as \(format)")
      }
    }
  }

  private func own<Token: SecurityToken>(_ token: Token) -> Outcome {
    Outcome(
      Result { () throws(TokenError) in
        try TokenValidator<Token>(world.trust).validate(
          token, at: world.now, expecting: world.expectations)
      })
  }

  private static func read(
    _ octets: [UInt8], _ pinned: PinnedFormat?
  ) -> Result<AnyToken, TokenError> {
    Result { () throws(TokenError) in try AnyToken(reading: octets, as: pinned) }
  }

  private func outcome(_ read: Result<AnyToken, TokenError>) -> Outcome {
    switch read {
    case .success(let token):
      Outcome(
        Result { () throws(TokenError) in
          try validator.validate(token, at: world.now, expecting: world.expectations)
        })
    case .failure(let error): .refused(error.code)
    }
  }

  /// One input in 64, always the same ones.
  private static func isChosen(_ octets: [UInt8]) -> Bool {
    octets.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 } & 63 == 0
  }

  private func onSmallStack(_ body: @escaping @Sendable () -> Outcome) -> Outcome? {
    let box = OutcomeBox()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      box.outcome.withLock { $0 = body() }
      done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
    return box.outcome.withLock { $0 }
  }

  private final class OutcomeBox: Sendable {
    let outcome = Mutex<Outcome?>(nil)
  }
}
