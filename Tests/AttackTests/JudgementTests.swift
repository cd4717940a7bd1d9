import SignInAttack
import Testing

@Suite("The judgement of a variant")
struct JudgementTests {
  /// What a variant comes to that is played with these outcomes, one after the other.
  private static func verdict(_ seen: [Observation]) -> (AttackVerdict?, Int) {
    var judgement = Judgement()
    for observation in seen {
      if case .done(let verdict) = judgement.next(after: observation) {
        return (verdict, judgement.count)
      }
    }
    return (nil, judgement.count)
  }

  @Test("What is refused is refused at once")
  func refused() {
    #expect(Self.verdict([.refused]) == (.refused, 1))
  }

  @Test("What is accepted is played a second time before it is told")
  func accepted() {
    #expect(Self.verdict([.reached(.named)]) == (nil, 1))
    #expect(
      Self.verdict([.reached(.named), .reached(.named)]) == (.accepted(.named, isSteady: true), 2))
  }

  @Test("What was accepted once and not again is told as such")
  func unsteady() {
    #expect(
      Self.verdict([.reached(.attacker), .refused]) == (.accepted(.attacker, isSteady: false), 2))
  }

  @Test("A service that fails is asked once more")
  func trouble() {
    #expect(Self.verdict([.trouble("a"), .refused]) == (.refused, 2))
    #expect(Self.verdict([.trouble("a"), .trouble("b")]) == (.unplayed("b"), 2))
  }

  @Test("A failure between two acceptances changes nothing")
  func troubleBetween() {
    let steady = AttackVerdict.accepted(.named, isSteady: true)
    #expect(Self.verdict([.trouble("a"), .reached(.named), .reached(.named)]) == (steady, 3))
    #expect(Self.verdict([.reached(.named), .trouble("a"), .reached(.named)]) == (steady, 3))
    #expect(
      Self.verdict([.reached(.named), .trouble("a"), .refused])
        == (.accepted(.named, isSteady: false), 3))
  }

  @Test("The worst person that was signed in is told")
  func worst() {
    #expect(
      Self.verdict([.reached(.named), .reached(.attacker)])
        == (.accepted(.attacker, isSteady: true), 2))
  }

  @Test("A variant that does not fit the service is not played again")
  func inapplicable() {
    #expect(Self.verdict([.inapplicable("no state")]) == (.inapplicable("no state"), 1))
  }

  @Test("A variant that does not fit after a failure is not refused")
  func inapplicableAfterTrouble() {
    #expect(Self.verdict([.trouble("a"), .inapplicable("b")]) == (.inapplicable("b"), 2))
  }
}
