import IssuerRegistry
public import SignIn

/// What keeps a gate from signing people in, and what soon will.
public struct GateHealth: Sendable {
  /// The state of a gate.
  public struct Report: Sendable {
    /// Nobody, or not everybody, can sign in or be checked.
    public var problems: [String] = []
    /// Something failed, and what was known before is still in use.
    public var warnings: [String] = []
    /// What an operator may want to know.
    public var notes: [String] = []

    /// A state.
    public init(problems: [String] = [], warnings: [String] = []) {
      self.problems = problems
      self.warnings = warnings
    }

    /// The lines of an answer.
    public var text: String {
      ((problems.isEmpty ? ["ok"] : problems) + warnings.map { "warning: " + $0 } + notes)
        .joined(separator: "\n") + "\n"
    }
  }

  private let site: SignInSite
  private let tokens: (any IssuerRegistry)?
  private let storeCheck: @Sendable (Instant) async throws(TokenError) -> String?

  /// The health of a gate.
  ///
  /// - Parameters:
  ///   - site: Its providers and sessions.
  ///   - tokens: The registry of bearer tokens; nil where none are accepted.
  ///   - storeCheck: Checks what more its store promises at an instant; a note about it, or nil.
  public init(
    of site: SignInSite, tokens: (any IssuerRegistry)?,
    storeCheck: @escaping @Sendable (Instant) async throws(TokenError) -> String? = {
      (_) throws(TokenError) in nil
    }
  ) {
    self.site = site
    self.tokens = tokens
    self.storeCheck = storeCheck
  }

  /// The state at `now`. Writes to the store of sessions: one that is full or may only be read answers questions.
  public func report(at now: Instant) async -> Report {
    var report = Report()
    for provider in site.providers {
      add(provider.registry, "provider \(provider.id)", now, to: &report)
      for found in provider.method.incompatibilities(at: now) {
        let text = "provider \(provider.id): \(found.error)"
        if found.preventsSignIn {
          report.problems.append(text)
        } else {
          report.warnings.append(text)
        }
      }
    }
    if let tokens {
      _ = tokens.readyTrust(at: now)
      add(tokens, "tokens", now, to: &report)
    }
    do throws(TokenError) {
      if let note = try await checkStore(at: now) { report.notes.append("shared store: " + note) }
    } catch {
      report.problems.append("sessions: \(error)")
    }
    return report
  }

  /// Why the store keeps nothing; nil where it does.
  public func storeError(at now: Instant) async -> TokenError? {
    do throws(TokenError) {
      _ = try await checkStore(at: now)
      return nil
    } catch {
      return error
    }
  }

  private func checkStore(at now: Instant) async throws(TokenError) -> String? {
    // What a server says of itself, such as that it is a replica, explains why it keeps nothing.
    var failure: TokenError?
    do throws(TokenError) {
      try await site.sessions.probe(at: now)
    } catch {
      failure = error
    }
    let note = try await storeCheck(now)
    if let failure { throw failure }
    return note
  }

  /// The most keys of a source that are named.
  private static let mostPassedOver = 16

  private func add(
    _ registry: any IssuerRegistry, _ name: String, _ now: Instant, to report: inout Report
  ) {
    for source in registry.health(at: now) {
      var text = "\(name): \(source.status.rawValue)"
      if source.source != "static" { text += ", \(source.source)" }
      if source.status == .expired, let end = source.validUntil {
        text += ", since \(end.rfc3339)"
      } else if source.status != .good {
        text += source.lastSuccess.map { ", last good \($0.rfc3339)" } ?? ", never good"
      }
      if let error = source.lastError { text += ": \(error)" }
      switch source.status {
      case .expired, .empty: report.problems.append(text)
      case .failing: report.warnings.append(text)
      case .good: break
      }
      let passedOver = source.passedOver
      report.warnings += passedOver.prefix(Self.mostPassedOver).map { "\(name): \($0)" }
      if passedOver.count > Self.mostPassedOver {
        report.warnings.append(
          "\(name): \(passedOver.count - Self.mostPassedOver) more are passed over")
      }
    }
  }
}
