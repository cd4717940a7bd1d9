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
    get { details?.node }
    set { details = Details(newValue, expected, found, underlying, ownHint, reason) }
  }
  /// What a token that passes would have had.
  public var expected: String? {
    get { details?.expected }
    set { details = Details(node, newValue, found, underlying, ownHint, reason) }
  }
  /// What this one has.
  public var found: String? {
    get { details?.found }
    set { details = Details(node, expected, newValue, underlying, ownHint, reason) }
  }
  /// The error that code of the application threw: ``description`` leaves it out, since it may hold
  /// anything.
  public var underlying: (any Error)? { details?.underlying }

  /// Apart, so that an error is two words: every function that may throw one hands it back.
  private var details: Details?

  private final class Details: Sendable {
    let node: String?
    let expected: String?
    let found: String?
    let underlying: (any Error)?
    let hint: String?
    let reason: Reason?

    /// Nil when there are none.
    init?(
      _ node: String?, _ expected: String?, _ found: String?, _ underlying: (any Error)? = nil,
      _ hint: String? = nil, _ reason: Reason? = nil
    ) {
      guard
        node != nil || expected != nil || found != nil || underlying != nil || hint != nil
          || reason != nil
      else { return nil }
      self.reason = reason
      self.underlying = underlying
      self.hint = hint
      self.node = node
      self.expected = expected
      self.found = found
    }
  }

  /// Makes the error for one cause.
  public init(
    _ code: Code, node: String? = nil, expected: String? = nil, found: String? = nil
  ) {
    self.code = code
    details = Details(node, expected, found)
  }

  /// Makes the error for one cause, with what to do in the situation that was recognised.
  ///
  /// - Parameter hint: Replaces the hint of the code; nil keeps that.
  package init(
    _ code: Code, node: String? = nil, expected: String? = nil, found: String? = nil, hint: String?
  ) {
    self.code = code
    details = Details(node, expected, found, nil, hint)
  }

  /// Makes the error for one cause, with what decides how it is answered.
  package init(
    _ code: Code, node: String? = nil, expected: String? = nil, found: String? = nil,
    _ reason: Reason
  ) {
    self.code = code
    details = Details(node, expected, found, nil, nil, reason)
  }

  /// Makes the error for a closure of the application that threw `underlying`; only its type is shown.
  package init(_ code: Code, throwing underlying: any Error) {
    self.code = code
    details = Details(nil, nil, "\(type(of: underlying))", underlying)
  }

  /// What happened, as one sentence without a final period.
  public var message: String { code.summary }

  /// What a person can do about it: in the situation that was recognised, or in general.
  public var hint: String { ownHint ?? code.hint }

  /// The hint for the situation that was recognised, if one was.
  package var ownHint: String? { details?.hint }

  /// The same error with a hint for the situation that was recognised; nil changes nothing.
  package func hinting(_ hint: String?) -> Self {
    guard let hint else { return self }
    var copy = self
    copy.details = Details(node, expected, found, underlying, hint, reason)
    return copy
  }

  /// What decides how the error is answered, beside its code; nil where the code decides.
  package var reason: Reason? { details?.reason }

  /// Code, message, place, what was expected and found; the hint is left out.
  public var description: String {
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
    return copy
  }

  /// For a list of what could not be used: the place first, then the code and the cause.
  package var asRemark: String {
    var text = node.map { "\($0): " } ?? ""
    text += "\(code.rawValue): \(message)"
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
