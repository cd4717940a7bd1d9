/// What was sent and what came back, for a report: no cookie, no code, no state.
package struct AttackExchange: Sendable {
  /// What the service asked for.
  package var request = ""
  /// What it was answered with; the token as its reader takes it apart.
  package var answer = ""
  /// Where the browser came to.
  package var arrival = ""

  package init() {}

  /// Characters of an answer that are kept.
  private static let most = 16_000

  mutating func note(_ asked: SignInRequest) {
    var parts = ["answer to \(asked.consumer)", "for \(TokenError.excerpt(asked.audience))"]
    if asked.id != nil { parts.append("with an identifier") }
    for (name, value) in [
      ("state", asked.state), ("nonce", asked.nonce), ("proof key", asked.challenge),
    ] where value != nil { parts.append("with \(name)") }
    request = parts.joined(separator: ", ")
  }

  mutating func note(_ made: MadeAnswer) {
    let lines: [String]
    switch made.answer {
    case .get(let url): lines = ["GET \(url)"]
    case .post(let url, let fields):
      lines = ["POST \(url)", "fields " + fields.map(\.name).joined(separator: ", ")]
    }
    let text = String(decoding: made.shown.prefix(Self.most), as: UTF8.self)
    answer = (lines + ["", text + (made.shown.count > Self.most ? "…" : "")]).joined(
      separator: "\n")
  }

  /// The address without its query, which has the message.
  mutating func note(_ message: LogoutMessage) {
    switch message {
    case .browser(let sent): answer = "a request for logout at \(sent.url)"
    case .direct(let fields, let address):
      answer =
        "a request for logout at \(address)\n\n" + fields.map(\.value).joined(separator: "\n")
    }
  }

  mutating func note(_ arrived: AttackBrowser.Arrival) {
    switch arrived {
    case .provider: arrival = "at the provider again"
    case .page(let page): arrival = page.description
    case .elsewhere(let place):
      arrival = "sent to \(TokenError.excerpt(place)), which was not asked for"
    case .loop(let url): arrival = "redirected without end, last to \(url)"
    case .failed(let error): arrival = error.description
    }
  }
}

/// A variant and what it came to.
package struct AttackResult: Sendable {
  package let variant: AttackVariant
  package let verdict: AttackVerdict
  /// Who was meant to be signed in.
  package let subject: String
  /// How often it was played.
  package let count: Int
  /// What was sent the last time.
  package let exchange: AttackExchange

  package init(
    variant: AttackVariant, verdict: AttackVerdict, subject: String, count: Int,
    exchange: AttackExchange
  ) {
    self.variant = variant
    self.verdict = verdict
    self.subject = subject
    self.count = count
    self.exchange = exchange
  }

  package var isAccepted: Bool {
    if case .accepted = verdict { true } else { false }
  }

  package var isUnplayed: Bool {
    if case .unplayed = verdict { true } else { false }
  }

  package var isInapplicable: Bool {
    if case .inapplicable = verdict { true } else { false }
  }

  package var isUnproven: Bool {
    if case .unproven = verdict { true } else { false }
  }

  /// The same, where a refusal proves nothing for this reason.
  func unproven(_ reason: String) -> Self {
    guard verdict == .refused else { return self }
    return Self(
      variant: variant, verdict: .unproven(reason), subject: subject, count: count,
      exchange: exchange)
  }

  /// What is at stake: less where the service reads the person that was signed.
  package var severity: AttackVariant.Severity {
    switch verdict {
    case .accepted(.named, _): variant.severityIfGenuine
    case .accepted(.asked, _): variant.severityIfAsked
    default: variant.severity
    }
  }
}
