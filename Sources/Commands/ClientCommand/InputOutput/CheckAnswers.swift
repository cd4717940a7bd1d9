#if Client
  import CommandSupport
  import FederationClient
  import LocalFiles
  import Synchronization
  import TokenBasics

  /// Answers a security check with the credentials of the options, once; on a terminal with typed ones, as
  /// often as the check challenges.
  final class CheckAnswers: ChallengeHandler {
    private struct State {
      var user: AuthenticatedUser?
      var failure: (any Error)?
      var hasAnswered = false
    }

    private let person: PasswordOptions
    private let rememberMe: Bool
    private let state = Mutex(State())

    init(_ person: PasswordOptions, rememberMe: Bool) {
      self.person = person
      self.rememberMe = rememberMe
    }

    /// The authenticated user, if the check identifies users.
    var user: AuthenticatedUser? { state.withLock { $0.user } }
    /// The reason for which there was no answer.
    var failure: (any Error)? { state.withLock { $0.failure } }

    func handleChallenge(_ challenge: SecurityChallenge) async -> ChallengeAnswer {
      let isFirst = state.withLock { state in
        defer { state.hasAnswered = true }
        return !state.hasAnswered
      }
      if let message = challenge.errorMessage {
        StandardError.write(
          "\(ShownText.line(challenge.securityCheck)): \(ShownText.line(message))")
      }
      if let left = challenge.remainingAttempts {
        StandardError.write("\(ShownText.line(challenge.securityCheck)): \(left) attempts are left")
      }
      let isTyped = person.passwordFile == nil && person.passwordEnv == nil && Terminal.isThere
      guard isFirst || isTyped else {
        return giveUp(
          TokenError(
            .clientSignInRefused, node: challenge.securityCheck,
            found: challenge.errorMessage.map { TokenError.excerpt($0) }))
      }
      do throws(CommandFailure) {
        guard let name = try userName() else { return .cancel }
        let password = try person.password(of: name)
        return .submit([
          "username": .text(Secret(name)), "password": .text(password),
          "rememberMe": .flag(rememberMe),
        ])
      } catch {
        return giveUp(error)
      }
    }

    func handleSuccess(_ success: SecurityCheckSuccess) async {
      if let user = success.user { state.withLock { $0.user = user } }
    }

    func handleFailure(_ failure: SecurityCheckFailure) async {
      guard let reason = failure.reason else { return }
      StandardError.write("\(ShownText.line(failure.securityCheck)): \(ShownText.line(reason))")
    }

    /// - Throws: exit code 2 without a name and a terminal.
    private func userName() throws(CommandFailure) -> String? {
      if let name = person.userName { return name }
      guard Terminal.isThere else {
        throw CommandFailure(.usage, "--user-name is needed without a terminal")
      }
      return Terminal.ask("User name: ").flatMap { $0.isEmpty ? nil : $0 }
    }

    private func giveUp(_ error: any Error) -> ChallengeAnswer {
      state.withLock { $0.failure = error }
      return .cancel
    }
  }
#endif
