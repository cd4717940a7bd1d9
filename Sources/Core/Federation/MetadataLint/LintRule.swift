import XMLTree

/// A rule about errors or risks in metadata.
public struct LintRule: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable {
    /// The file, or what the rule names, will not work or must not be used.
    case error
    /// It works, but a person should review it.
    case warning
    /// It works; a note about how it could be better.
    case info
  }

  /// A stable name, such as `META-L01`. Numbers are never reused.
  public let id: String
  /// How bad it is to break the rule.
  public let severity: Severity
  /// What is wrong, as one sentence without a final period.
  public let message: String
  /// What to do about it.
  public let advice: String

  init(_ number: Int, _ severity: Severity, _ message: String, advice: String) {
    id = "META-L" + (number < 10 ? "0" : "") + String(number)
    self.severity = severity
    self.message = message
    self.advice = advice
  }

  /// Every rule, by number.
  public static let all: [LintRule] =
    ([.unreadable, .empty, .duplicateEntity, .sharedKey] + rules(FileRules.all)
    + rules(EntityRules.all) + rules(RoleRules.all) + rules(KeyRules.all)
    + rules(EndpointRules.all)).sorted { $0.id < $1.id }

  private static func rules<Subject>(_ checks: [LintCheck<Subject>]) -> [LintRule] {
    checks.map(\.rule)
  }

  // Rules about the whole file, which the linter itself checks.

  static let unreadable = LintRule(
    1, .error, "the file or the entity cannot be read",
    advice: "the finding names the code; docs/errors.md has the remedy")
  static let empty = LintRule(
    2, .error, "the file describes no entity",
    advice: "an aggregate without entities is useless; check its source")
  static let duplicateEntity = LintRule(
    3, .error, "an entity is described twice",
    advice: "keep one description; readers disagree about which of the two counts")
  static let sharedKey = LintRule(
    4, .warning, "two entities sign with one key",
    advice: "whoever holds the key can speak for both; give each entity its own")
}

/// One violation of a rule.
public struct LintFinding: Sendable {
  /// The rule that is broken.
  public let rule: LintRule
  /// The `entityID`; nil for a finding about the file.
  public let entityID: String?
  /// The place, as a path such as `/EntityDescriptor/IDPSSODescriptor/KeyDescriptor[2]`.
  public let place: String
  /// The text found there, if any.
  public let found: String?
}

/// One result of checking a single entity, in the order of its findings. It needs no other entity, so
/// several can be checked in parallel; ``MetadataLinter`` compares them afterwards.
package enum LintPart: Sendable {
  case finding(LintFinding)
  /// The entity's name, which must be unique.
  case name(String, place: String)
  /// The fingerprint of a key with which the entity signs tokens.
  case signer(String, entityID: String, place: String)
}

/// A rule and the function that finds violations.
struct LintCheck<Subject>: Sendable {
  /// A place that breaks the rule, and the text found there.
  struct Hit {
    let place: String
    let found: String?

    init(_ element: Element, attribute: String? = nil, found: String? = nil) {
      place = attribute.map { element.path + "/@" + $0 } ?? element.path
      self.found = found.map { TokenError.excerpt($0) }
    }
  }

  let rule: LintRule
  let hits: @Sendable (Subject) -> [Hit]

  init(
    _ number: Int, _ severity: LintRule.Severity, _ message: String, advice: String,
    _ hits: @escaping @Sendable (Subject) -> [Hit]
  ) {
    rule = LintRule(number, severity, message, advice: advice)
    self.hits = hits
  }
}
