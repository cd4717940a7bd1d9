import HTTPExchange
import SignInAttack
import TestSupport
import Testing
import TokenBasics

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
    #expect(String(decoding: page.octets, as: UTF8.self).contains("No variant was played."))
  }

  @Test("A page about a service that failed does not say that all was refused")
  func failed() throws {
    let configuration = try AttackFixture.configuration()
    let variant = try #require(
      try AttackFixture(configuration) { _ in .of(500) }.variants(["signer/other-key"]).first)
    let result = AttackResult(
      variant: variant, verdict: .unplayed("status 500"), subject: "alice", count: 2,
      exchange: AttackExchange())
    let page = AttackPage(
      [result], configuration, by: "claims-attack", at: AdvancingTime().now)
    let text = String(decoding: page.octets, as: UTF8.self)
    #expect(text.contains("The service failed at 1 of 1 variants and accepted none."))
  }

  /// The page about results with these verdicts.
  private func page(_ verdicts: [AttackVerdict], endedBy reason: String? = nil) throws -> String {
    let configuration = try AttackFixture.configuration()
    let variant = try #require(
      try AttackFixture(configuration) { _ in .of(500) }.variants(["signer/other-key"]).first)
    let results = verdicts.map {
      AttackResult(
        variant: variant, verdict: $0, subject: "alice", count: 1, exchange: AttackExchange())
    }
    let page = AttackPage(
      results, configuration, by: "claims-attack", at: AdvancingTime().now, endedBy: reason)
    return String(decoding: page.octets, as: UTF8.self)
  }

  @Test(
    "The heading counts as refused what was, and says what proves nothing",
    arguments: [
      ([.refused, .refused], nil, "The service refused all 2 variants."),
      (
        [.refused, .inapplicable("no state")], nil,
        "The service refused all 1 variants that fit, 1 do not."
      ),
      ([.inapplicable("no state")], nil, "None of 1 variants fits the service."),
      (
        [.refused, .unproven("lost"), .unproven("lost"), .inapplicable("no state")], "attack.lost",
        "The run ended early: 1 refused, 2 not proven."
      ),
      (
        [.accepted(.named, isSteady: true), .unproven("lost"), .unplayed("status 500")],
        "attack.lost",
        "The service accepted 1 of 3 variants. The run ended early: 0 refused, 1 not proven, 1 not played."
      ),
      ([], "attack.honest", "No variant was played."),
    ] as [([AttackVerdict], String?, String)])
  func heading(verdicts: [AttackVerdict], reason: String?, heading: String) throws {
    let page = try page(verdicts, endedBy: reason)
    #expect(page.contains("<h1>\(heading)</h1>"))
    #expect(page.contains("Ended early") == (reason != nil))
    let passed = verdicts.count { $0 == .refused }
    #expect(page.matches(of: /<tr class="?passed/).count == passed)
  }

  @Test("A refusal that proves nothing is written as such, with the reason")
  func unproven() throws {
    let variant = try #require(
      try AttackFixture(AttackFixture.configuration()) { _ in .of(500) }
        .variants(["signer/other-key"]).first)
    let result = AttackResult(
      variant: variant, verdict: .unproven("why"), subject: "alice", count: 1,
      exchange: AttackExchange())
    var json = JSONWriter()
    AttackRecord.write(result, to: &json)
    let record = try JSONParser.parse(json.bytes)
    #expect(record["verdict"]?.string == "unproven" && record["reason"]?.string == "why")
    let counts = AttackSummary([result]).counts
    #expect(counts.contains { $0 == ("unproven", 1) } && counts.contains { $0 == ("refused", 0) })
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
