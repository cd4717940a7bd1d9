import Claims
import Federation
import Instants
import TokenErrors

/// The verdict on a token, as its code.
struct TokenVerdict {
  private let now: Instant
  private let pinned: PinnedFormat?

  init(at now: Instant, as pinned: PinnedFormat?) {
    self.now = now
    self.pinned = pinned
  }

  /// The code with which the token is rejected; nil for accepted.
  func code(of token: [UInt8], _ trust: Trust, _ expectations: Expectations) -> TokenError.Code? {
    do throws(TokenError) {
      let read = try AnyToken(reading: token, as: pinned, limits: trust.limits)
      _ = try TokenValidator(trust).validate(read, at: now, expecting: expectations)
      return nil
    } catch {
      return error.code
    }
  }
}
