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
