extension AttackRun {
  /// Plays variants in order and hands on each result. Now and then, after a variant that could not be played, and at the
  /// end it shows that an honest answer still signs in.
  ///
  /// - Parameters:
  ///   - begin: Gets the place of a variant and the variant, before it is played.
  ///   - take: Gets each result at once.
  /// - Returns: What ended the series early: `attack.lost`, `attack.limit`, `policy.mint-*`; nil where all were played.
  /// - Throws: What `take` throws; `CancellationError`.
  package mutating func play(
    _ variants: [AttackVariant], begin: (Int, AttackVariant) -> Void,
    take: (AttackResult) throws -> Void
  ) async throws -> TokenError? {
    var proven: String?
    var unprovenCount = 0
    for (index, variant) in variants.enumerated() {
      try Task.checkCancellation()
      begin(index, variant)
      let result: AttackResult
      do throws(TokenError) { result = try await play(variant) } catch { return error }
      try take(result)
      unprovenCount += 1
      guard
        result.isUnplayed || unprovenCount == Self.mostUnproven || index == variants.count - 1
      else { continue }
      do throws(TokenError) { try await confirm(since: proven) } catch { return error }
      proven = variant.id
      unprovenCount = 0
    }
    return nil
  }

  /// How many variants are played before an honest answer has to sign in again: a sign-in more for each fifty, and the
  /// result says which fifty prove nothing.
  private static let mostUnproven = 50
}
