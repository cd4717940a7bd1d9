/// Whom the probe shows.
package enum Reached: Sendable, Equatable {
  /// The person whom the signed part of the answer names.
  case named
  /// The attacker: what was forged was read.
  case attacker
  /// A third person, whom the answer does not name.
  case third
  /// No person, but the service brought a secret or a request to an address to which it should not.
  case asked
  /// No person, but the browser was sent to another site.
  case led

  /// For reports.
  package var text: String {
    switch self {
    case .named: "the person of the answer"
    case .attacker: "the attacker"
    case .third: "another person"
    case .asked: "no person, but the service sent a request that it should not"
    case .led: "no person, but the browser was sent to another site"
    }
  }
}

/// What came of playing a variant once.
package enum Observation: Sendable, Equatable {
  /// A person is signed in.
  case reached(Reached)
  /// The page is that of a browser that is not signed in.
  case refused
  /// The service failed or could not be reached, with the reason.
  case trouble(String)
  /// The variant does not fit what the service asked for, with the reason.
  case inapplicable(String)
}

/// What a variant came to.
package enum AttackVerdict: Sendable, Equatable {
  case refused
  /// A person was signed in: each time, or once and not again.
  case accepted(Reached, isSteady: Bool)
  /// It does not fit this service, with the reason.
  case inapplicable(String)
  /// The service failed each time, with the reason.
  case unplayed(String)
  /// It was refused, and the honest answer behind it too or not tried, with the reason.
  case unproven(String)
}

/// Judges a variant by what came of it, as a state machine without a socket: what was accepted is played again, and what
/// failed once more.
package struct Judgement: Sendable {
  package enum Step: Sendable, Equatable {
    /// Play it once more.
    case again
    case done(AttackVerdict)
  }

  private var seen: [Observation] = []

  package init() {}

  /// How often it was played.
  package var count: Int { seen.count }

  /// The next step after a variant was played.
  package mutating func next(after observation: Observation) -> Step {
    seen.append(observation)
    let reached = seen.compactMap { seen -> Reached? in
      if case .reached(let whom) = seen { whom } else { nil }
    }
    guard let worst = Self.worst(reached) else { return withoutAcceptance(observation) }
    // To be let in once is enough to be told; a failure of the service before or behind it tells nothing.
    let isRefused = seen.contains(.refused)
    guard reached.count == 2 || isRefused || seen.count == 3 else { return .again }
    return .done(.accepted(worst, isSteady: reached.count == 2 && !isRefused))
  }

  private func withoutAcceptance(_ last: Observation) -> Step {
    switch last {
    case .trouble(let reason): seen.count < 2 ? .again : .done(.unplayed(reason))
    case .inapplicable(let reason): .done(.inapplicable(reason))
    case .refused, .reached: .done(.refused)
    }
  }

  private static func worst(_ reached: [Reached]) -> Reached? {
    [.attacker, .third, .named, .asked, .led].first(where: reached.contains)
  }
}
