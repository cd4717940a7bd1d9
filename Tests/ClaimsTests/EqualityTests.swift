import Claims
import Testing

@Suite("Facts and claims are compared byte for byte")
struct EqualityTests {
  static let composed = "caf\u{E9}"
  static let decomposed = "cafe\u{301}"

  @Test("Facts that differ in how a letter is composed are different facts")
  func facts() {
    #expect(Self.composed == Self.decomposed)
    func facts(_ text: String) -> [TokenFacts] {
      [
        TokenFacts(issuer: text), TokenFacts(subject: text), TokenFacts(audiences: ["a", text]),
        TokenFacts(tokenID: text),
      ]
    }
    for (one, other) in zip(facts(Self.composed), facts(Self.decomposed)) { #expect(one != other) }
    #expect(facts(Self.composed) == facts(Self.composed))
    #expect(TokenFacts(subject: "") != TokenFacts())
    #expect(TokenFacts(audiences: ["a"]) != TokenFacts(audiences: ["a", "a"]))
  }

  @Test("Claims that differ in how a letter is composed are different claims")
  func claims() {
    func claims(_ text: String) -> [Claim] {
      [
        Claim("t", text), Claim(ClaimType(text), "v"), Claim("t", "v", issuer: text),
        Claim("t", "v", valueType: text), Claim("t", "v", originalIssuer: text),
        Claim("t", "v", originalName: text), Claim("t", "v", properties: ["p": text]),
        Claim("t", "v", properties: [text: "p"]),
      ]
    }
    for (one, other) in zip(claims(Self.composed), claims(Self.decomposed)) {
      #expect(one != other)
      #expect(ClaimSet([one]) != ClaimSet([other]))
    }
    #expect(claims(Self.composed) == claims(Self.composed))
    #expect(Set(claims(Self.composed) + claims(Self.decomposed)).count == 16)
    #expect(Claim("t", "v", properties: ["p": "q"]) != Claim("t", "v"))
  }
}
