extension TokenError {
  /// A stable dotted name of one cause, such as `signature.digest-mismatch`.
  ///
  /// The set is open: new codes appear with new releases, so `switch` over one needs a `default`.
  /// `docs/errors.md` has a section for each.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: String { texts.rawValue }
    /// What happened, as one sentence without a final period.
    public var summary: String { texts.summary }
    /// What a person can do about it.
    public var hint: String { texts.hint }

    /// Shared, so that a code is as small as what is thrown should be.
    private let texts: Texts

    private final class Texts: Sendable {
      let rawValue: String
      let summary: String
      let hint: String

      init(_ rawValue: String, _ summary: String, _ hint: String) {
        self.rawValue = rawValue
        self.summary = summary
        self.hint = hint
      }
    }

    package init(_ rawValue: String, _ summary: String, hint: String) {
      texts = Texts(rawValue, summary, hint)
    }

    /// The code of that name, if there is one.
    public init?(rawValue: String) {
      guard let known = Self.allCodes.first(where: { $0.rawValue == rawValue }) else { return nil }
      self = known
    }

    /// The part before the dot: `input`, `xml`, `signature`…
    public var family: String { String(rawValue.prefix { $0 != "." }) }

    public var description: String { rawValue }

    public static func == (left: Self, right: Self) -> Bool {
      left.texts === right.texts || left.rawValue == right.rawValue
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Every code of this release, family by family.
    public static let allCodes: [Self] = [
      input,
      xml,
      signature,
      key,
      algorithm,
      encryption,
      issuer,
      audience,
      time,
      subject,
      response,
      replay,
      policy,
      transport,
      session,
      client,
      mobileFoundation,
      mobileServices,
      opro,
      feed,
      registry,
    ].flatMap(\.self)
  }
}
