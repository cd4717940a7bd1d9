extension AttackRun {
  /// Plays variants in order. Now and then, after a variant that could not be played, and at the end it shows that an honest
  /// answer still signs in, and hands on the results since the last time.
  ///
  /// - Parameters:
  ///   - begin: Gets the place of a variant and the variant, before it is played.
  ///   - take: Gets each result once an honest answer has signed in behind it; where none did, a refusal as unproven.
  /// - Returns: What ended the series early: `attack.lost`, `attack.limit`, `policy.mint-*`; nil where all were played.
  /// - Throws: What `take` throws; `CancellationError`.
  package mutating func play(
    _ variants: [AttackVariant], begin: (Int, AttackVariant) -> Void,
    take: (AttackResult) throws -> Void
  ) async throws -> TokenError? {
    var proven: String?
    var held: [AttackResult] = []
    var end: TokenError?
    for (index, variant) in variants.enumerated() where !Task.isCancelled {
      begin(index, variant)
      do throws(TokenError) {
        let result = try await play(variant)
        // What a run meets that is told to end says nothing of the service.
        guard !Task.isCancelled else { break }
        held.append(result)
        let isLast = index == variants.count - 1
        guard result.isUnplayed || held.count == Self.mostUnproven || isLast else { continue }
        try await confirm(since: proven)
        guard !Task.isCancelled else { break }
        proven = variant.id
      } catch {
        end = error
        break
      }
      for result in held { try take(result) }
      held = []
    }
    let reason =
      end == TokenError(.attackLost) && !Task.isCancelled
      ? "an honest answer did not sign in afterwards"
      : "the run ended before an honest answer was tried again"
    for result in held { try take(result.unproven(reason)) }
    try Task.checkCancellation()
    return end
  }

  /// How many variants are played before an honest answer has to sign in again: a sign-in more for each fifty, and the
  /// result says which fifty prove nothing.
  private static let mostUnproven = 50
}
