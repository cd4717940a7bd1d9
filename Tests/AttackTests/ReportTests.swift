import HTTPExchange
import Octets
import SignInAttack
import TestSupport
import Testing

@Suite("The reports of a run")
struct ReportTests {
  private func results() async throws -> (AttackFixture, [AttackResult]) {
    let fixture = try AttackFixture(AttackFixture.configuration(start: "/login", probe: "/me")) {
      await CredulousService.respond(to: $0)
    }
    var run = fixture.run
    try await run.control()
    var results: [AttackResult] = []
    for variant in try fixture.variants(["clock/an-hour-early", "content/subject", "xml/cut"]) {
      results.append(try await run.play(variant))
    }
    return (fixture, results)
  }

  @Test(
    "A line has the verdict; of what was accepted also the request and the answer, without state or cookie"
  )
  func lines() async throws {
    let (_, results) = try await results()
    let records = try results.map { result in
      var json = JSONWriter()
      AttackRecord.write(result, to: &json)
      return try JSONParser.parse(json.bytes)
    }
    let accepted = try #require(records.first { $0["id"]?.string == "content/subject" })
    #expect(accepted["verdict"]?.string == "accepted" && accepted["played"]?.integer == 2)
    #expect(accepted["answer"]?.string?.contains("NameID") == true)
    #expect(accepted["request"]?.string?.contains("state") == true)
    #expect(records.allSatisfy { $0["answer"]?.string?.contains("session=") != true })
    let refused = try #require(records.first { $0["id"]?.string == "xml/cut" })
    #expect(refused["verdict"]?.string == "accepted" || refused["answer"] == nil)
  }

  @Test("The page has what was accepted first, and is one file that fetches and runs nothing")
  func page() async throws {
    let (fixture, results) = try await results()
    let page = String(
      decoding: AttackPage(
        results, fixture.configuration, by: "claims-attack", at: fixture.clock.now
      ).octets,
      as: UTF8.self)
    #expect(page.hasPrefix("<!DOCTYPE html>"))
    #expect(page.contains("--only content/subject"))
    #expect(!page.contains("<script") && !page.contains("src="))
    #expect(page.contains("default-src &#39;none&#39;") || page.contains("default-src 'none'"))
  }

  @Test("A page about nothing says so")
  func clean() throws {
    let configuration = try AttackFixture.configuration()
    let page = AttackPage([], configuration, by: "claims-attack", at: AdvancingTime().now)
    #expect(
      String(decoding: page.octets, as: UTF8.self).contains("The service refused all 0 variants."))
  }

  @Test(
    "A page about a service that failed, or a run that ended early, does not say that all was refused"
  )
  func failed() throws {
    let configuration = try AttackFixture.configuration()
    let variant = try #require(
      try AttackFixture(configuration) { _ in .of(500) }.variants(["signer/other-key"]).first)
    let result = AttackResult(
      variant: variant, verdict: .unplayed("status 500"), subject: "alice", count: 2,
      exchange: AttackExchange())
    let page = AttackPage(
      [result], configuration, by: "claims-attack", at: AdvancingTime().now,
      endedBy: TokenError(.attackLost))
    let text = String(decoding: page.octets, as: UTF8.self)
    #expect(text.contains("The service failed at 1 of 1 variants and accepted none."))
    #expect(text.contains("Ended early") && text.contains("attack.lost"))
  }

  @Test("The counts of a run are those of its results")
  func summary() async throws {
    let (_, results) = try await results()
    var summary = AttackSummary()
    for result in results { summary.add(result) }
    #expect(summary.counts.first?.count == 3)
    #expect(summary.accepted == results.count { $0.isAccepted })
  }
}
