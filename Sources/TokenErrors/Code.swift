extension TokenError {
  /// A stable dotted name of one cause, such as `signature.digest-mismatch`.
  ///
  /// The set is open: new codes appear with new releases, so `switch` over one needs a `default`.
  /// `docs/errors.md` has a section for each.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    /// What happened, as one sentence without a final period.
    public let summary: String
    /// What a person can do about it.
    public let hint: String

    package init(_ rawValue: String, _ summary: String, hint: String) {
      self.rawValue = rawValue
      self.summary = summary
      self.hint = hint
    }

    /// The code of that name, if there is one.
    public init?(rawValue: String) {
      guard let known = Self.allCodes.first(where: { $0.rawValue == rawValue }) else { return nil }
      self = known
    }

    /// The part before the dot: `input`, `xml`, `signature`…
    public var family: String { String(rawValue.prefix { $0 != "." }) }

    public var description: String { rawValue }

    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

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
