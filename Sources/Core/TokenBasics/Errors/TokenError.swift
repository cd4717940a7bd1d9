/// Why a token, a key or a configuration was refused.
///
/// One type serves every layer, so that no layer has to translate another's errors. Two errors are
/// equal when their codes are equal: a test or a `catch` names the cause and nothing else.
///
/// The text never carries a token, a key, or a claim value of an unverified token beyond what
/// `excerpt(_:length:)` lets through.
public struct TokenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The cause. Stable across releases; one code has one cause.
  public let code: Code
  /// Where, as a path such as `/Response/Assertion[1]/Signature`, a byte offset or `line 3`.
  public var node: String? {
    get { details?.parts.node }
    set { change { $0.node = newValue } }
  }
  /// What a token that passes would have had.
  public var expected: String? {
    get { details?.parts.expected }
    set { change { $0.expected = newValue } }
  }
  /// What this one has.
  public var found: String? {
    get { details?.parts.found }
    set { change { $0.found = newValue } }
  }
  /// The error that code of the application threw: ``description`` leaves it out, since it may hold
  /// anything.
  public var underlying: (any Error)? { details?.parts.underlying }

  /// The place in a configuration file, and the sentence that tells the error there.
  package var setting: SettingPlace? {
    get { details?.parts.setting }
    set { change { $0.setting = newValue } }
  }

  /// What decides how the error is answered, beside its code; nil where the code decides.
  package var reason: Reason? { details?.parts.reason }

  /// Apart, so that an error is two words: every function that may throw one hands it back.
  private var details: Details?

  /// What an error says beside its code.
  private struct Parts: Sendable {
    var node: String?
    var expected: String?
    var found: String?
    var underlying: (any Error)?
    var hint: String?
    var setting: SettingPlace?
    var reason: Reason?

    var isEmpty: Bool {
      node == nil && expected == nil && found == nil && underlying == nil && hint == nil
        && setting == nil && reason == nil
    }
  }

  private final class Details: Sendable {
    let parts: Parts

    /// Nil when there are none.
    init?(_ parts: Parts) {
      if parts.isEmpty { return nil }
      self.parts = parts
    }
  }

  private mutating func change(_ body: (inout Parts) -> Void) {
    var parts = details?.parts ?? Parts()
    body(&parts)
    details = Details(parts)
  }

  /// Makes the error for one cause.
  public init(
    _ code: Code, node: String? = nil, expected: String? = nil, found: String? = nil
  ) {
    self.code = code
    details = Details(Parts(node: node, expected: expected, found: found))
  }

  /// Makes the error for one cause, with what to do in the situation that was recognised.
  ///
  /// - Parameter hint: Replaces the hint of the code; nil keeps that.
  package init(
    _ code: Code, node: String? = nil, expected: String? = nil, found: String? = nil, hint: String?
  ) {
    self.code = code
    details = Details(Parts(node: node, expected: expected, found: found, hint: hint))
  }

  /// Makes the error for one cause, with what decides how it is answered.
  package init(
    _ code: Code, node: String? = nil, expected: String? = nil, found: String? = nil,
    _ reason: Reason
  ) {
    self.code = code
    details = Details(Parts(node: node, expected: expected, found: found, reason: reason))
  }

  /// Makes the error for a closure of the application that threw `underlying`; only its type is shown.
  package init(_ code: Code, throwing underlying: any Error) {
    self.code = code
    details = Details(Parts(found: "\(type(of: underlying))", underlying: underlying))
  }

  /// What happened, as one sentence without a final period. An error about a member of a configuration file names it.
  public var message: String { setting?.sentence ?? code.summary }

  /// What a person can do about it: in the situation that was recognised, or in general.
  public var hint: String { ownHint ?? code.hint }

  /// The hint for the situation that was recognised, if one was.
  package var ownHint: String? { details?.parts.hint }

  /// The same error with a hint for the situation that was recognised; nil changes nothing.
  package func hinting(_ hint: String?) -> Self {
    guard let hint else { return self }
    var copy = self
    copy.change { $0.hint = hint }
    return copy
  }

  /// Code, message, place, what was expected and found; the hint is left out. An error about a member of a configuration
  /// file begins with the place and ends with the code.
  public var description: String {
    if let setting { return "\(setting) (\(code.rawValue))" }
    var text = "\(code.rawValue): \(message)"
    if let node { text += ", at \(node)" }
    if let expected { text += ", expected \(expected)" }
    if let found { text += ", found \(found)" }
    return text
  }

  /// Whether the codes are the same.
  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// The same error, at `node` unless it already names a place.
  package func located(at node: @autoclosure () -> String) -> Self {
    guard self.node == nil else { return self }
    var copy = self
    copy.node = node()
    return copy
  }

  /// The same error in a file or document: its place there stands behind the name.
  package func within(_ name: String) -> Self {
    var copy = self
    copy.node = node.map { "\(name), \($0)" } ?? name
    copy.setting?.file = name
    return copy
  }

  /// The same error with the name of the configuration file, if it is about a member of one.
  package func inFile(_ name: String) -> Self {
    var copy = self
    copy.setting?.file = name
    return copy
  }

  /// For a list of what could not be used: the place first, then the code and the cause.
  package var asRemark: String {
    var text = node.map { "\($0): " } ?? ""
    text += "\(code.rawValue): \(message)"
    if setting != nil { return text }
    if let expected { text += ", expected \(expected)" }
    if let found { text += ", found \(found)" }
    return text
  }

  /// Attacker-chosen text made fit for an error: at most 64 characters, line ends and tabs shown as
  /// `\n`, `\r` and `\t`, other characters that a person cannot see as `?`, so that it can neither flood a log nor
  /// forge a line in it.
  package static func excerpt(_ text: String) -> String { excerpt(text, length: 64) }

  /// An excerpt without its quotation marks, for a place that sets texts apart by itself; any other text as it is.
  package static func unquoted(_ text: String) -> String {
    guard text.utf8.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    let inside = text.dropFirst().dropLast()
    // A list of excerpts begins and ends with one, too.
    return inside.utf8.contains(UInt8(ascii: "\"")) ? text : String(inside)
  }

  /// The same with another number of characters.
  package static func excerpt(_ text: String, length: Int) -> String {
    var shown = ""
    var count = 0
    for scalar in text.unicodeScalars {
      if count == length { return "\"\(shown)\"… (\(text.utf8.count) bytes)" }
      switch scalar {
      case "\n": shown += "\\n"
      case "\r": shown += "\\r"
      case "\t": shown += "\\t"
      default:
        shown.unicodeScalars.append(scalar.isHidden ? "?" : scalar)
      }
      count += 1
    }
    return "\"\(shown)\""
  }
}
