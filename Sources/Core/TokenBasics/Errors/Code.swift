import Octets

extension TokenError {
  /// A stable dotted name of one cause, such as `signature.digest-mismatch`.
  ///
  /// The set is open: new codes appear with new releases, so `switch` over one needs a `default`. Each
  /// module declares the codes that it owns; this one has those of the core, which every format throws.
  /// `docs/errors.md` has a section for each.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name with its family, such as `signature.digest-mismatch`.
    public var rawValue: String { texts.rawValue }
    /// What happened, as one sentence without a final period.
    public var summary: String { texts.summary }
    /// What a person can do about it.
    public var hint: String { texts.hint }
    /// Whose fault it is.
    public var fault: Fault { texts.fault }

    /// Shared, so that a thrown code is one word.
    private let texts: Texts

    private final class Texts: Sendable {
      let rawValue: String
      let summary: String
      let hint: String
      let fault: Fault

      init(_ rawValue: String, _ summary: String, _ fault: Fault, _ hint: String) {
        self.fault = fault
        self.rawValue = rawValue
        self.summary = summary
        self.hint = hint
      }
    }

    /// Declares a code. Its name must be unique among all modules.
    ///
    /// - Parameter fault: Whose fault it is: of most codes, the sender of what was read.
    package init(_ rawValue: String, _ summary: String, fault: Fault = .sender, hint: String) {
      texts = Texts(rawValue, summary, fault, hint)
    }

    /// The part before the dot: `input`, `xml`, `signature`…
    public var family: String { String(rawValue.prefix { $0 != "." }) }

    /// ``rawValue``.
    public var description: String { rawValue }

    /// Whether the names are the same.
    public static func == (left: Self, right: Self) -> Bool {
      left.texts === right.texts || left.rawValue == right.rawValue
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
  }
}
