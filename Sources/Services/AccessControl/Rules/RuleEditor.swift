import Octets
import Synchronization
import TokenBasics

/// The rule groups of the service's file, and those that the admin pages changed: a changed group stands for the one
/// of the file as a whole.
public final class RuleEditor: Sendable {
  private struct State {
    var changed: [RuleGroup]
    /// Whether another editor writes from now on.
    var isRetired = false
  }

  private let original: [RuleGroup]
  private let state: Mutex<State>
  private let read: (@Sendable () throws(TokenError) -> [RuleGroup])?
  private let write: @Sendable ([RuleGroup]) throws(TokenError) -> Void

  /// An editor.
  ///
  /// - Parameters:
  ///   - original: The groups of the file.
  ///   - changed: Those that were changed before.
  ///   - read: Reads the changed groups where they are kept, so that what another editor wrote there is not written over;
  ///     nil where no other writes.
  ///   - write: Keeps the changed groups before they hold.
  public init(
    _ original: [RuleGroup], changed: [RuleGroup] = [],
    read: (@Sendable () throws(TokenError) -> [RuleGroup])? = nil,
    write: @escaping @Sendable ([RuleGroup]) throws(TokenError) -> Void
  ) {
    self.original = original
    state = Mutex(State(changed: changed))
    self.read = read
    self.write = write
  }

  /// The groups that hold.
  public var groups: [RuleGroup] { state.withLock { holding($0.changed) } }

  private func holding(_ changed: [RuleGroup]) -> [RuleGroup] {
    original.map { group in changed.first { $0.name.hasSameBytes(as: group.name) } ?? group }
  }

  /// Whether the group differs from that of the file.
  func isChanged(_ name: String) -> Bool {
    state.withLock { $0.changed.contains { $0.name.hasSameBytes(as: name) } }
  }

  /// What a page shows of a group, so that a form of an older page is known.
  static func version(of group: RuleGroup) -> String {
    let octets = RuleGroupFile.octets([group])
    return Base64.encode(DigestAlgorithm.sha256.digest(of: octets) ?? [], .url)
  }

  /// The refusal of a name that is no group's.
  static func unknown(_ name: String) -> TokenError {
    TokenError(
      .issuingField, node: "group", expected: "the name of a rule group",
      found: TokenError.excerpt(name))
  }

  /// Lets what is kept hold, where another editor changed it since this one read it.
  ///
  /// - Returns: Whether that was so.
  /// - Throws: What the reader throws, and what the namespace throws of rules; nothing is changed then.
  @discardableResult
  package func refresh(in store: NamespaceStore) throws(TokenError) -> Bool {
    try state.withLock { (state: inout sending State) throws(TokenError) in
      try refresh(&state, in: store)
    }
  }

  private func refresh(
    _ state: inout State, in store: NamespaceStore
  ) throws(TokenError) -> Bool {
    guard let kept = try read?(),
      RuleGroupFile.octets(kept) != RuleGroupFile.octets(state.changed)
    else { return false }
    store.replace(with: try store.current.with(ruleGroups: holding(kept)))
    state.changed = kept
    return true
  }

  /// Ends the changes of this editor, once one that is under way is kept: another one is in its place.
  package func retire() { state.withLock { $0.isRetired = true } }

  /// Changes a group, keeps it and lets it hold. Where the groups that are kept are others than this editor knows, they
  /// hold and nothing else is changed.
  ///
  /// - Parameters:
  ///   - version: Of the group that the person saw.
  ///   - rules: The rules as they shall be; nil for those of the file.
  /// - Throws: `issuing.missing-field` for an unknown group, `issuing.rules-changed`, and what `rules` and the writer
  ///   throw; nothing is changed then.
  func change(
    _ name: String, version: String, in store: NamespaceStore,
    _ rules: ([ClaimRule]) throws(TokenError) -> [ClaimRule]?
  ) throws(TokenError) {
    try state.withLock { (state: inout sending State) throws(TokenError) in
      guard let group = holding(state.changed).first(where: { $0.name.hasSameBytes(as: name) })
      else { throw Self.unknown(name) }
      let isOther = try refresh(&state, in: store)
      guard !isOther, !state.isRetired, Self.version(of: group).hasSameBytes(as: version) else {
        throw TokenError(.issuingRulesChanged, node: name)
      }
      var next = state.changed.filter { !$0.name.hasSameBytes(as: name) }
      if let rules = try rules(group.rules) {
        let group = RuleGroup(name, rules: rules)
        try store.current.checkReserved(group)
        next.append(group)
      }
      let namespace = try store.current.with(ruleGroups: holding(next))
      try write(next)
      state.changed = next
      store.replace(with: namespace)
    }
  }
}

/// The file of the rule groups that the admin pages changed: `{"ruleGroups": […]}`, as in the service's file, a rule a
/// line.
public enum RuleGroupFile {
  /// The file.
  public static func octets(_ groups: [RuleGroup]) -> [UInt8] {
    var lines = ["{\"ruleGroups\": ["]
    for (number, group) in groups.enumerated() {
      lines.append("  {\"name\": \(JSONWriter.literal(group.name)), \"rules\": [")
      for (number, rule) in group.rules.enumerated() {
        lines.append("    " + text(rule) + (number + 1 < group.rules.count ? "," : ""))
      }
      lines.append("  ]}" + (number + 1 < groups.count ? "," : ""))
    }
    lines.append("]}")
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  /// Reads the file beside the service's file, whose groups it has to name. Rules about providers that the service's file
  /// does not have are skipped, and each is reported.
  public static func read(
    _ octets: [UInt8], beside file: ServiceFile
  ) -> (groups: [RuleGroup], errors: [TokenError], skipped: [TokenError]) {
    do throws(TokenError) {
      let json = try JSONParser.parse(octets)
      var reader = ServiceFileReader(octets, providers: file.providers.map(\.id))
      let groups = reader.readChanges(json, file.ruleGroups.map(\.name))
      return (groups, reader.errors, reader.skipped)
    } catch {
      return ([], [ServiceFile.syntaxError(error)], [])
    }
  }

  private static func text(_ rule: ClaimRule) -> String {
    var members = ["\"if\": " + text(rule.input)]
    if let second = rule.second { members.append("\"and\": " + text(second)) }
    if let type = rule.outputType { members.append("\"type\": " + JSONWriter.literal(type.name)) }
    if let value = rule.outputValue { members.append("\"value\": " + JSONWriter.literal(value)) }
    if let subjects = rule.appliesTo {
      members.append("\"to\": " + JSONWriter.literal(subjects.rawValue))
    }
    if !rule.note.isEmpty { members.append("\"note\": " + JSONWriter.literal(rule.note)) }
    return "{" + members.joined(separator: ", ") + "}"
  }

  private static func text(_ condition: ClaimCondition) -> String {
    var members = ["\"from\": " + JSONWriter.literal(condition.issuer.name ?? "acs")]
    if let type = condition.type { members.append("\"type\": " + JSONWriter.literal(type.name)) }
    if let value = condition.value { members.append("\"value\": " + JSONWriter.literal(value)) }
    return "{" + members.joined(separator: ", ") + "}"
  }
}
