import HTTPExchange
import TokenBasics

extension GuessLimit {
  /// Judges a secret, where not too many were wrong, and counts how that ended.
  ///
  /// A request is answered on the thread of its connection, which is that of many others. So a digest is derived elsewhere,
  /// one at a time; and the limit is asked again right before, so that of guesses at once no more are judged than of
  /// guesses one after the other.
  ///
  /// - Parameters:
  ///   - text: What was shown; nil for nothing.
  ///   - secret: What it is compared with; nil where there is nothing to compare.
  ///   - verdict: Compares, and throws where the text is wrong.
  /// - Throws: `issuing.rate`, and what `verdict` throws.
  func judge<Value: Sendable>(
    _ text: String?, against secret: Secret?, of name: String, from address: String,
    _ verdict: @Sendable () throws(TokenError) -> Value
  ) async throws(TokenError) -> Value {
    guard let text, secret?.isDerived(for: text) == true else {
      return try counted(name, address, verdict)
    }
    // Before it waits for others.
    try admit(name, from: address)
    return try await withTaskExecutorPreference(globalConcurrentExecutor) {
      () async throws(TokenError) -> Value in
      try await DigestQueue.shared.run { () throws(TokenError) in
        try counted(name, address, verdict)
      }
    }
  }

  /// Derives the digest of a text for nothing. Where some secrets are kept as digests, a refusal of any name then takes the time
  /// of a digest, and tells no name from another.
  ///
  /// - Parameters:
  ///   - text: What was sent; nil for nothing.
  ///   - digest: The digest whose time it takes; nil where there is none.
  ///   - secret: What the text was compared with: a digest has taken its time already.
  func spendTime(_ text: String?, of digest: Secret?, unless secret: Secret?) async {
    guard let text, let digest, secret.map({ HashedSecret.isMeant(by: $0.revealed) }) != true,
      let hashed = HashedSecret(digest.revealed)
    else { return }
    await withTaskExecutorPreference(globalConcurrentExecutor) {
      await DigestQueue.shared.spend { _ = hashed.isDigest(of: text) }
    }
  }

  private func counted<Value>(
    _ name: String, _ address: String, _ verdict: () throws(TokenError) -> Value
  ) throws(TokenError) -> Value {
    try admit(name, from: address)
    let value: Value
    do throws(TokenError) {
      value = try verdict()
    } catch {
      failed(name, from: address)
      throw error
    }
    succeeded(name, from: address)
    return value
  }
}

/// Derives digests of secrets one at a time: each takes tens of milliseconds of a processor, and up to 128 MiB.
private actor DigestQueue {
  static let shared = DigestQueue()

  func run<Value: Sendable>(
    _ work: @Sendable () throws(TokenError) -> Value
  ) throws(TokenError) -> Value { try work() }

  func spend(_ work: @Sendable () -> Void) { work() }
}
