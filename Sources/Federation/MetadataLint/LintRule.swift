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
