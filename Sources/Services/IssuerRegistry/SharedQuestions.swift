import Synchronization
package import TokenBasics

/// Questions to other services, of which those about one thing are asked once for all who wait for the answer.
package final class SharedQuestions<Key: Hashable & Sendable, Answer: Sendable>: Sendable {
  private let open = Mutex<[Key: Task<Result<Answer, TokenError>, Never>]>([:])

  package init() {}

  /// The answer to the question that is open about a key, or else to this one. What `ask` remembers it remembers before
  /// the question is over, so that none is asked in between.
  package func answer(
    about key: Key, _ ask: @escaping @Sendable () async -> Result<Answer, TokenError>
  ) async throws(TokenError) -> Answer {
    let question = open.withLock { open in
      if let question = open[key] { return question }
      let question = Task {
        let answer = await ask()
        self.open.withLock { $0[key] = nil }
        return answer
      }
      open[key] = question
      return question
    }
    return try await question.value.get()
  }
}
