/// Which claims a reader wants to see, and under which names.
///
/// A projection changes the view only; the token keeps every claim.
public struct ClaimProjection: Hashable, Sendable {
  /// Only types that begin with one of these; empty for all.
  public var prefixes: [String]
  /// Whether the prefix is cut off the name.
  public var stripsPrefix: Bool

  /// Keeps types that begin with one of `prefixes`.
  public init(prefixes: [String] = [], stripsPrefix: Bool = false) {
    self.prefixes = prefixes
    self.stripsPrefix = stripsPrefix
  }

  /// Every claim under its full name: what the develop branch of the 2011 iOS toolkit showed (which
  /// listed `Issuer` and its like as claims too; they are none here).
  public static let all = Self()

  /// The identity claims under short names: what the master branch of the 2011 iOS toolkit showed.
  public static let identityShortNames = Self(
    prefixes: [ClaimType.identityPrefix], stripsPrefix: true)

  /// The claim as this projection shows it, or nil. The longest prefix that fits counts.
  public func apply(_ claim: Claim) -> Claim? {
    guard !prefixes.isEmpty else { return claim }
    let name = claim.type.name
    let fitting = prefixes.filter { name.utf8.starts(with: $0.utf8) }
    guard let longest = fitting.max(by: { $0.utf8.count < $1.utf8.count }) else { return nil }
    guard stripsPrefix else { return claim }
    var shortened = claim
    shortened.type = ClaimType(
      String(decoding: name.utf8.dropFirst(longest.utf8.count), as: UTF8.self))
    return shortened
  }
}
