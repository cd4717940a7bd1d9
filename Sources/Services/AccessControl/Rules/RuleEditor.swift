import Octets
import Synchronization

/// The rule groups of the service's file, and those that the admin pages changed: a changed group stands for the one
/// of the file as a whole.
public final class RuleEditor: Sendable {
  private let original: [RuleGroup]
  private let changed: Mutex<[RuleGroup]>
  private let write: @Sendable ([RuleGroup]) throws(TokenError) -> Void

  /// An editor.
  ///
  /// - Parameters:
  ///   - original: The groups of the file.
  ///   - changed: Those that were changed before.
  ///   - write: Keeps the changed groups before they hold.
  public init(
    _ original: [RuleGroup], changed: [RuleGroup] = [],
    write: @escaping @Sendable ([RuleGroup]) throws(TokenError) -> Void
  ) {
    self.original = original
    self.changed = Mutex(changed)
    self.write = write
  }

  /// The groups that hold.
  public var groups: [RuleGroup] { changed.withLock { holding($0) } }

  private func holding(_ changed: [RuleGroup]) -> [RuleGroup] {
    original.map { group in changed.first { $0.name.hasSameBytes(as: group.name) } ?? group }
  }

  /// Whether the group differs from that of the file.
  func isChanged(_ name: String) -> Bool {
    changed.withLock { $0.contains { $0.name.hasSameBytes(as: name) } }
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

  /// Changes a group, keeps it and lets it hold.
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
    try changed.withLock { (changed: inout sending [RuleGroup]) throws(TokenError) in
      guard let group = holding(changed).first(where: { $0.name.hasSameBytes(as: name) }) else {
        throw Self.unknown(name)
      }
      guard Self.version(of: group).hasSameBytes(as: version) else {
        throw TokenError(.issuingRulesChanged, node: name)
      }
      var next = changed.filter { !$0.name.hasSameBytes(as: name) }
      if let rules = try rules(group.rules) {
        let group = RuleGroup(name, rules: rules)
        try store.current.checkReserved(group)
        next.append(group)
      }
      let namespace = try store.current.with(ruleGroups: holding(next))
      try write(next)
      changed = next
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
      lines.append("  {\"name\": \(quoted(group.name)), \"rules\": [")
      for (number, rule) in group.rules.enumerated() {
        lines.append("    " + text(rule) + (number + 1 < group.rules.count ? "," : ""))
      }
      lines.append("  ]}" + (number + 1 < groups.count ? "," : ""))
    }
    lines.append("]}")
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  /// Reads the file beside the service's file, whose providers and groups it has to name.
  public static func read(
    _ octets: [UInt8], beside file: ServiceFile
  ) -> (groups: [RuleGroup], errors: [TokenError]) {
    do throws(TokenError) {
      let json = try JSONParser.parse(octets)
      var reader = ServiceFileReader(octets, providers: file.providers.map(\.id))
      let groups = reader.readChanges(json, file.ruleGroups.map(\.name))
      return (groups, reader.errors)
    } catch {
      return ([], [ServiceFile.syntaxError(error)])
    }
  }

  private static func text(_ rule: ClaimRule) -> String {
    var members = ["\"if\": " + text(rule.input)]
    if let second = rule.second { members.append("\"and\": " + text(second)) }
    if let type = rule.outputType { members.append("\"type\": " + quoted(type.name)) }
    if let value = rule.outputValue { members.append("\"value\": " + quoted(value)) }
    if let subjects = rule.appliesTo { members.append("\"to\": " + quoted(subjects.rawValue)) }
    if !rule.note.isEmpty { members.append("\"note\": " + quoted(rule.note)) }
    return "{" + members.joined(separator: ", ") + "}"
  }

  private static func text(_ condition: ClaimCondition) -> String {
    var members = ["\"from\": " + quoted(condition.issuer.name ?? "acs")]
    if let type = condition.type { members.append("\"type\": " + quoted(type.name)) }
    if let value = condition.value { members.append("\"value\": " + quoted(value)) }
    return "{" + members.joined(separator: ", ") + "}"
  }

  private static func quoted(_ text: String) -> String {
    var json = JSONWriter(capacity: text.utf8.count + 16)
    json.string(text)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
