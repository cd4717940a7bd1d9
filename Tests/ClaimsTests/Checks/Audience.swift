import Claims
import Testing
import TokenBasics

@Suite("The audiences of a token, in every format")
struct AudienceCheckTests {
  /// Restrictions, and what they come to for the audiences `a` and `b`.
  static let restrictions: [([[String]], TokenError.Code?)] = [
    ([["a"]], nil), ([["x", "b"]], nil), ([["a"], ["b"]], nil),
    ([["x"], ["a"]], .audienceMismatch),
    ([["a"], ["x"]], .audienceMismatch), ([["a"], []], .audienceMismatch),
    ([[], ["a"]], .audienceMismatch), ([["A"]], .audienceMismatch), ([[]], .audienceMismatch),
    ([], .audienceMissing),
  ]

  @Test("An empty audience is nobody's, also where an empty one is configured")
  func emptyAudience() {
    var texts = ClaimTableBuilder(over: [])
    var written = AudienceRestrictions()
    written.beginRestriction()
    written.append(texts.add(""))
    var context = SharedCheck.context(.oneOf([""]))
    context.check(written, in: texts, node: nil)
    #expect(context.journal.firstFailure?.code == .audienceMismatch)
  }

  @Test("Each audience restriction names one of ours", arguments: restrictions)
  func audiences(restrictions: [[String]], code: TokenError.Code?) {
    var texts = ClaimTableBuilder(over: [])
    var written = AudienceRestrictions()
    for restriction in restrictions {
      written.beginRestriction()
      for name in restriction { written.append(texts.add(name)) }
    }
    var context = SharedCheck.context(.oneOf(["a", "b"]))
    context.check(written, in: texts, node: nil)
    #expect(context.journal.firstFailure?.code == code)
    #expect(context.journal.checks.map(\.outcome) == [code == nil ? .passed : .failed])
  }
}
