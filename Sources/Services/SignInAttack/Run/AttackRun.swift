/// Plays variants against one service, one sign-in after the other.
package struct AttackRun: Sendable {
  let configuration: AttackConfiguration
  let provider: RogueProvider
  let transport: any HTTPTransport
  let clock: any TimeSource
  private var pace: SignInPace
  /// Made from the page of a browser that has not signed in.
  private var reading: ProbeReading
  /// What the service asked for in the honest sign-in.
  private(set) var asked: SignInRequest?
  var exchange = AttackExchange()
  /// What honest requests for logout came to, by their way to the service.
  var honestLogouts: [AttackVariant.LogoutChannel: Bool] = [:]
  /// Whether an honest answer of the second provider signs in; nil until it was tried.
  var isSecondTrusted: Bool?

  package init(
    _ provider: RogueProvider, _ transport: any HTTPTransport, _ clock: any TimeSource
  ) {
    configuration = provider.configuration
    self.provider = provider
    self.transport = transport
    self.clock = clock
    pace = SignInPace(configuration, clock)
    reading = ProbeReading(configuration, baseline: HTTPResponse(status: 0))
  }

  /// How many sign-ins were begun.
  package var signIns: Int { pace.count }

  /// A browser without cookies.
  var newBrowser: AttackBrowser { AttackBrowser(configuration, transport, clock) }

  // MARK: Control

  /// Shows that the service lets in what it should: no one without a sign-in, the person of the file with an honest
  /// answer, and a person whom it has not seen.
  ///
  /// - Throws: `attack.baseline`, `attack.honest`, `attack.people`, `attack.no-request`, `attack.request`,
  ///   `attack.origin`, `transport.*`.
  package mutating func control() async throws(TokenError) {
    var stranger = newBrowser
    let page = try await stranger.probe()
    reading = ProbeReading(configuration, baseline: page)
    let people = [configuration.attacker, configuration.person.subject]
    if let (_, name) = match(page, people) { throw baselineError(name) }
    try await signInHonestly(configuration.person.subject, orElse: .attackHonest)
    if configuration.usesCanaries {
      try await signInHonestly(configuration.subject(of: "control"), orElse: .attackPeople)
    }
  }

  /// The first of these subjects that a page shows as signed in, or an empty name where the probe names no person.
  private func match(_ page: HTTPResponse, _ people: [String]) -> (Reached, String)? {
    guard page.status == configuration.probe.status else { return nil }
    guard let text = configuration.probe.contains else { return (.named, "") }
    return people.first { ProbeReading.shows(page, text, $0) }.map { (.named, $0) }
  }

  private func baselineError(_ name: String) -> TokenError {
    TokenError(
      .attackBaseline, node: configuration.probe.url.description,
      expected: "another page than that of a person who is signed in",
      found: name.isEmpty ? "status \(configuration.probe.status)" : TokenError.excerpt(name))
  }

  private mutating func signInHonestly(
    _ subject: String, orElse code: TokenError.Code
  ) async throws(TokenError) {
    var browser = newBrowser
    let request = try await begin(&browser)
    asked = request
    let arrived = try await deliver(AnswerPlan(subject), to: request, in: &browser)
    let page = try await browser.probe()
    let whom = reading.reached(page, subject: subject)
    guard whom == .named else {
      if whom == .attacker {
        throw TokenError(
          .attackBaseline, node: configuration.probe.url.description,
          expected: "a page of \(TokenError.excerpt(subject)) without the subject of the attacker",
          hint: "name another subject in attacker, or a longer text around PERSON in contains")
      }
      throw TokenError(
        code, node: configuration.probe.url.description,
        expected: "status \(configuration.probe.status)"
          + (configuration.probe.contains.map { " with \(TokenError.excerpt($0))" } ?? ""),
        found: "status \(page.status); the answer led \(Self.text(arrived))")
    }
  }

  private static func text(_ arrived: AttackBrowser.Arrival?) -> String {
    switch arrived {
    case .page(let page): "to \(page)"
    case .provider: "back to the provider"
    case .elsewhere(let place): "to \(TokenError.excerpt(place))"
    case .loop(let url): "to redirects without end, last to \(url)"
    case .failed(let error): "to a failure, \(error)"
    case nil: "nowhere"
    }
  }

  /// Shows that an honest answer still signs in: a service that locked people out, or that a variant ended, refuses
  /// everything, which proves nothing. One that fails, or asks to wait, has some seconds to start again; one that refuses
  /// has refused the variants before in the same way.
  ///
  /// - Parameter last: The variant after which it did so before; nil for none.
  /// - Throws: `attack.lost`, `attack.limit`.
  package mutating func confirm(since last: String?) async throws(TokenError) {
    var found = ""
    for pause in Self.pauses {
      if pause > 0 { await clock.wait(.milliseconds(pause)) }
      do throws(TokenError) {
        switch try await honestAnswer() {
        case .signsIn: return
        case .refused(let reason): throw lost(since: last, reason)
        case .failed(let reason): found = reason
        }
      } catch {
        guard Self.isTransport(error) else { throw error }
        found = error.description
      }
    }
    throw lost(since: last, found)
  }

  private func lost(since last: String?, _ found: String) -> TokenError {
    TokenError(
      .attackLost, node: configuration.probe.url.description,
      expected: last.map { "the person of an honest answer, as after \($0)" }
        ?? "the person of an honest answer, as before the first variant", found: found)
  }

  /// Milliseconds before each try.
  private static let pauses: [Int64] = [0, 1_000, 2_000, 4_000, 8_000]

  // MARK: Variants

  /// Plays a variant as often as its judgement wants.
  ///
  /// - Throws: `attack.limit`; `policy.mint-*` for claims of the file that the format cannot carry.
  package mutating func play(_ variant: AttackVariant) async throws(TokenError) -> AttackResult {
    var judgement = Judgement()
    var accepted: AttackExchange?
    while true {
      let observation = try await observe(variant)
      if case .reached(let whom) = observation, accepted == nil || whom == .attacker {
        accepted = exchange
      }
      guard case .done(let verdict) = judgement.next(after: observation) else { continue }
      return AttackResult(
        variant: variant, verdict: verdict, subject: configuration.subject(of: variant.id),
        count: judgement.count, exchange: accepted ?? exchange)
    }
  }

  private mutating func observe(_ variant: AttackVariant) async throws(TokenError) -> Observation {
    exchange = AttackExchange()
    provider.publish(variant.publication)
    do throws(TokenError) {
      switch variant.play {
      case .mutation(let name):
        var plan = plan(for: variant)
        plan.mutation = name
        return try await playOnce(plan)
      case .change(let change):
        var plan = plan(for: variant)
        change(&plan, configuration)
        return try await playOnce(plan)
      case .conversation(let conversation):
        return try await converse(conversation, plan(for: variant))
      }
    } catch {
      guard !Self.endsRun(error) else { throw error }
      return .trouble(error.description)
    }
  }

  /// What the file or its limits forbid ends the run; what a service does is seen.
  static func endsRun(_ error: TokenError) -> Bool {
    error.code == .attackLimit || error.code.family == "policy"
  }

  private func plan(for variant: AttackVariant) -> AnswerPlan {
    AnswerPlan(configuration.subject(of: variant.id))
  }

  /// One sign-in with one answer.
  private mutating func playOnce(_ plan: AnswerPlan) async throws(TokenError) -> Observation {
    var browser = newBrowser
    let request = try await begin(&browser)
    if let reason = Self.misfit(plan, request) { return .inapplicable(reason) }
    guard let arrived = try await deliver(plan, to: request, in: &browser) else {
      return .inapplicable("the change cannot be made to this token")
    }
    if plan.backChannel == .otherUserInfo, !provider.wasAskedForUser {
      return .inapplicable("the service does not ask for UserInfo")
    }
    return try await observation(of: plan.subject, in: &browser, after: arrived)
  }

  /// Why a change changes nothing for this request.
  private static func misfit(_ plan: AnswerPlan, _ request: SignInRequest) -> String? {
    if plan.state != .asked, request.state == nil { return "the request has no state" }
    if plan.nonce != .asked, request.nonce == nil { return "the request has no nonce" }
    if plan.hasOtherContext, request.contexts.isEmpty {
      return "the request takes any way to sign in"
    }
    return nil
  }

  // MARK: Steps

  /// Begins a sign-in in a browser.
  mutating func begin(
    _ browser: inout AttackBrowser, at party: ProviderParty = .first
  ) async throws(TokenError) -> SignInRequest {
    try await pace.admit()
    let start = party == .first ? configuration.start : configuration.second ?? configuration.start
    let request = try await SignInRequest(reading: browser.begin(at: start), configuration)
    exchange.note(request)
    return request
  }

  /// Makes an answer and delivers it; nil where it cannot be made.
  mutating func deliver(
    _ plan: AnswerPlan, to request: SignInRequest, in browser: inout AttackBrowser
  ) async throws(TokenError) -> AttackBrowser.Arrival? {
    guard let made = try provider.answer(to: request, plan, at: clock.now) else { return nil }
    return try await deliver(made, in: &browser)
  }

  mutating func deliver(
    _ made: MadeAnswer, in browser: inout AttackBrowser
  ) async throws(TokenError) -> AttackBrowser.Arrival {
    exchange.note(made)
    let arrived = try await browser.deliver(made.answer)
    exchange.note(arrived)
    return arrived
  }

  /// Delivers an answer once more, or elsewhere, which counts as a sign-in too.
  mutating func deliverAgain(
    _ made: MadeAnswer, in browser: inout AttackBrowser
  ) async throws(TokenError) -> AttackBrowser.Arrival {
    try await pace.admit()
    return try await deliver(made, in: &browser)
  }

  /// Who is signed in after an answer.
  mutating func observation(
    of subject: String, in browser: inout AttackBrowser, after arrived: AttackBrowser.Arrival
  ) async throws(TokenError) -> Observation {
    let page = try await settledProbe(in: &browser)
    if let whom = reading.reached(page, subject: subject) { return .reached(whom) }
    if hasFailed(page) {
      return .trouble("the probe has status \(page.status)")
    }
    if case .failed(let error) = arrived { return .trouble(error.description) }
    if case .page(let page) = arrived, [Self.tooMany, 502, 503, 504].contains(page.status) {
      // A service answers so too where it refuses what came over the back channel.
      guard case .signsIn = try await honestAnswer() else {
        return .trouble("status \(page.status)")
      }
    }
    return .refused
  }

  /// The page of the probe. A service that the answer ended has some seconds to start again, since whom it signed in shows
  /// afterwards; a page that fails in this browser alone does so at once.
  ///
  /// - Throws: `transport.*` where there is none after that time.
  private func settledProbe(
    in browser: inout AttackBrowser
  ) async throws(TokenError) -> HTTPResponse {
    for pause in Self.pauses.dropFirst() {
      if let page = try await page(in: &browser), !hasFailed(page) { return page }
      var stranger = newBrowser
      if let page = try await page(in: &stranger), !hasFailed(page) { break }
      await clock.wait(.milliseconds(pause))
    }
    return try await browser.probe()
  }

  /// The page of the probe; nil where it does not arrive.
  private func page(in browser: inout AttackBrowser) async throws(TokenError) -> HTTPResponse? {
    do throws(TokenError) {
      return try await browser.probe()
    } catch {
      guard Self.isTransport(error) else { throw error }
      return nil
    }
  }

  private static func isTransport(_ error: TokenError) -> Bool {
    error.code.family == "transport"
  }

  /// Whether a page of the probe tells of a failure, which it did not before.
  private func hasFailed(_ page: HTTPResponse) -> Bool {
    Self.isFailure(page.status) && page.status != reading.baseline
  }

  /// A failure, or a limit of requests: neither says anything about an answer.
  private static func isFailure(_ status: Int) -> Bool { status >= 500 || status == tooMany }

  /// RFC 6585, 4.
  static let tooMany = 429

  /// What comes of an honest answer.
  private enum HonestOutcome {
    case signsIn
    /// Another page, with what was found.
    case refused(String)
    /// The service fails, or asks to wait.
    case failed(String)
  }

  /// Whether an honest answer signs in now.
  ///
  /// - Throws: `attack.limit`, `transport.*`.
  private mutating func honestAnswer() async throws(TokenError) -> HonestOutcome {
    let kept = exchange
    defer { exchange = kept }
    var browser = newBrowser
    let request: SignInRequest
    do throws(TokenError) {
      request = try await begin(&browser)
    } catch {
      guard !Self.endsRun(error), !Self.isTransport(error) else { throw error }
      return Self.isFailure(browser.lastStatus)
        ? .failed(error.description) : .refused(error.description)
    }
    let subject = configuration.subject(of: "control")
    let arrived = try await deliver(AnswerPlan(subject), to: request, in: &browser)
    let page = try await browser.probe()
    if reading.reached(page, subject: subject) == .named { return .signsIn }
    if hasFailed(page) { return .failed("the probe has status \(page.status)") }
    switch arrived {
    case .failed(let error): return .failed(error.description)
    case .page(let end) where Self.isFailure(end.status): return .failed("status \(end.status)")
    default: return .refused("another page of the probe")
    }
  }
}
