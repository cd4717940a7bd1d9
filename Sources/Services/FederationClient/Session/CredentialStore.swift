import Claims
public import HTTPExchange
import Synchronization
public import TokenBasics

/// Stores credentials between two runs of a program.
///
/// Several processes may share a store. A store must store ``StoredCredentials`` as a whole, including its
/// non-public members: they show each process what another one has replaced, ended or is renewing.
public protocol CredentialStore: Sendable {
  /// The stored content; empty at the first run.
  /// - Throws: `session.store-*`.
  func read() async throws(TokenError) -> StoredCredentials

  /// Reads, changes and writes as one step: no change of another process is lost, and after a crash the store
  /// has either the old or the new content. An error of `change` leaves the content unchanged.
  /// - Returns: The new content.
  /// - Throws: `session.store-*`, and errors of `change`.
  @discardableResult
  func update(
    _ change: @Sendable (inout StoredCredentials) throws(TokenError) -> Void
  ) async throws(TokenError) -> StoredCredentials
}

/// Stores credentials in memory, for the life of the process.
public final class MemoryCredentialStore: CredentialStore {
  private let content = Mutex(StoredCredentials())

  /// An empty store.
  public init() {}

  /// The current content. Never throws.
  public func read() throws(TokenError) -> StoredCredentials { content.withLock { $0 } }

  /// Changes the content under a lock; an error of `change` leaves it unchanged.
  /// - Throws: Errors of `change`.
  @discardableResult
  public func update(
    _ change: @Sendable (inout StoredCredentials) throws(TokenError) -> Void
  ) throws(TokenError) -> StoredCredentials {
    try content.withLock { (content) throws(TokenError) in
      var copy = content
      try change(&copy)
      content = copy
      return copy
    }
  }
}

/// Everything that is stored between two runs of a program.
public struct StoredCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  /// Sessions by account name, which the program chooses.
  public var sessions: [String: Session] = [:]
  /// The person's last choices, by question; nothing secret.
  public var choices: [String: String] = [:]
  /// Secrets that outlive a session, such as keys, by name.
  public var secrets: [String: Secret] = [:]
  // By account: the number of changes of the session, and the process that renews it. A store must store
  // these two as well.
  var generations: [String: Int] = [:]
  var renewals: [String: RenewalTurn] = [:]

  /// Empty content.
  public init() {}

  /// The numbers of sessions, choices and secrets.
  public var description: String {
    "\(sessions.count) sessions, \(choices.count) choices, \(secrets.count) secrets"
  }

  /// Has no children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

// The plaintext of an encrypted store. It leaves this module only encrypted.
extension StoredCredentials {
  static let version = 1

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("version")
      writer.integer(Self.version)
      writer.name("sessions")
      writer.object { writer in
        for (name, session) in sessions.sorted(by: { $0.key < $1.key }) {
          writer.name(text: name)
          session.write(to: &writer)
        }
      }
      writer.name("choices")
      writer.strings(choices)
      writer.name("secrets")
      writer.strings(secrets.mapValues(\.revealed))
      writer.name("generations")
      writer.strings(generations.mapValues { "\($0)" })
      writer.name("renewals")
      writer.strings(renewals.mapValues { "\($0.until.rfc3339) \($0.owner)" })
    }
    return writer.bytes
  }

  /// - Throws: `session.store-version`, `input.json-*`.
  init(json: [UInt8]) throws(TokenError) {
    // Written by this module, so its number of members is not limited.
    var limits = Limits()
    limits.jsonMembers = .max
    let value = try JSONParser.parse(json, limits: limits)
    guard let version = value["version"]?.integer else { throw Self.malformed("version") }
    guard version <= Self.version else {
      throw TokenError(
        .sessionStoreVersion, expected: "\(Self.version) or less", found: "\(version)")
    }
    self.init()
    for (name, session) in try Self.member("sessions", of: value) {
      sessions[name] = try Session(json: session)
    }
    for (name, text) in try Self.member("choices", of: value) {
      choices[name] = try Self.string(text, name)
    }
    for (name, text) in try Self.member("secrets", of: value) {
      secrets[name] = Secret(try Self.string(text, name))
    }
    // Earlier releases wrote neither.
    for (name, text) in value["generations"]?.members ?? [] {
      guard let number = Int(try Self.string(text, name)) else { throw Self.malformed(name) }
      generations[name] = number
    }
    for (name, text) in value["renewals"]?.members ?? [] {
      let words = try Self.string(text, name).split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { throw Self.malformed(name) }
      renewals[name] = RenewalTurn(
        owner: String(words[1]), until: try Instant(dateTime: String(words[0])))
    }
  }

  static func member(
    _ name: String, of value: JSONValue
  ) throws(TokenError) -> [(name: String, value: JSONValue)] {
    guard let members = value[name]?.members else { throw malformed(name) }
    return members
  }

  static func string(_ value: JSONValue?, _ name: String) throws(TokenError) -> String {
    guard let text = value?.string else { throw malformed(name) }
    return text
  }

  static func malformed(_ name: String) -> TokenError { TokenError(.jsonMember, node: name) }
}

extension JSONWriter {
  mutating func strings(_ values: [String: String]) {
    object { writer in
      for (name, text) in values.sorted(by: { $0.key < $1.key }) {
        writer.name(text: name)
        writer.string(text)
      }
    }
  }
}
