package import TokenBasics

/// A result as an object of JSON, one on a line.
package enum AttackRecord {
  /// A variant, as `list` writes it.
  package static func write(
    _ variant: AttackVariant, of name: AttackConfiguration.SignInProtocol, to json: inout JSONWriter
  ) {
    json.object { json in
      json.member("protocol", name.rawValue)
      members(of: variant, variant.severity, &json)
    }
    json.endLine()
  }

  /// A result; what was sent and what came back of one that was accepted alone.
  package static func write(_ result: AttackResult, to json: inout JSONWriter) {
    json.object { json in
      members(of: result.variant, result.severity, &json)
      json.member("verdict", word(result.verdict))
      switch result.verdict {
      case .refused: break
      case .accepted(let whom, let isSteady):
        json.member("signedIn", whom.text)
        json.name("steady")
        json.bool(isSteady)
      case .inapplicable(let reason), .unplayed(let reason), .unproven(let reason):
        json.member("reason", reason)
      }
      json.member("subject", result.subject)
      json.name("played")
      json.integer(result.count)
      guard result.isAccepted else { return }
      json.member("request", result.exchange.request)
      json.member("answer", result.exchange.answer)
      json.member("arrival", result.exchange.arrival)
    }
    json.endLine()
  }

  /// The last line: how many of each.
  package static func write(_ summary: AttackSummary, to json: inout JSONWriter) {
    json.object { json in
      for (name, count) in summary.counts {
        json.name(text: name)
        json.integer(count)
      }
      json.name("signIns")
      json.integer(summary.signIns)
    }
    json.endLine()
  }

  private static func members(
    of variant: AttackVariant, _ severity: AttackVariant.Severity, _ json: inout JSONWriter
  ) {
    json.member("id", variant.id)
    json.member("severity", severity.rawValue)
    json.member("summary", variant.summary)
    json.member("clause", variant.clause)
    json.member("meaning", variant.meaning)
    guard !variant.attacks.isEmpty else { return }
    json.name("attacks")
    json.array { json in variant.attacks.forEach { json.string($0) } }
  }

  package static func word(_ verdict: AttackVerdict) -> String {
    switch verdict {
    case .refused: "refused"
    case .accepted: "accepted"
    case .inapplicable: "inapplicable"
    case .unplayed: "unplayed"
    case .unproven: "unproven"
    }
  }
}

/// How many variants came to what.
package struct AttackSummary: Sendable {
  package private(set) var accepted = 0
  package private(set) var refused = 0
  package private(set) var inapplicable = 0
  package private(set) var unplayed = 0
  package private(set) var unproven = 0
  package var signIns = 0

  package init() {}

  package init(_ results: [AttackResult]) {
    for result in results { add(result) }
  }

  package mutating func add(_ result: AttackResult) {
    switch result.verdict {
    case .refused: refused += 1
    case .accepted: accepted += 1
    case .inapplicable: inapplicable += 1
    case .unplayed: unplayed += 1
    case .unproven: unproven += 1
    }
  }

  /// How many in all.
  package var variants: Int { accepted + refused + inapplicable + unplayed + unproven }

  package var counts: [(name: String, count: Int)] {
    [
      ("variants", variants), ("accepted", accepted), ("refused", refused),
      ("inapplicable", inapplicable),
      ("unplayed", unplayed), ("unproven", unproven),
    ]
  }
}
