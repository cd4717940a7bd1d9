/// Which claims a reader wants to see, and under which names.
///
/// A projection changes the view only; the token keeps every claim. Two types never become one: a prefix
/// is cut off only where it is the only one, since `urn:a/role` and `urn:b/role` would both be `role`.
public struct ClaimProjection: Hashable, Sendable {
  /// Only types that begin with one of these; empty for all.
  public let prefixes: [String]
  /// Whether the prefix, of which there is one then, is cut off the name.
  public let stripsPrefix: Bool

  private init(_ prefixes: [String], stripsPrefix: Bool) {
    self.prefixes = prefixes
    self.stripsPrefix = stripsPrefix
  }

  /// Keeps types that begin with one of `prefixes`, or all where there is none.
  public init(prefixes: [String] = []) { self.init(prefixes, stripsPrefix: false) }

  /// Keeps types that begin with `prefix` and cuts it off their names.
  public static func stripping(_ prefix: String) -> Self { Self([prefix], stripsPrefix: true) }

  /// Every claim under its full name: what the develop branch of the 2011 iOS toolkit showed (which
  /// listed `Issuer` and its like as claims too; they are none here).
  public static let all = Self()

  /// The identity claims under short names: what the master branch of the 2011 iOS toolkit showed.
  public static let identityShortNames = Self.stripping(ClaimType.identityPrefix)

  /// The claim as this projection shows it, or nil.
  public func apply(_ claim: Claim) -> Claim? {
    guard !prefixes.isEmpty else { return claim }
    let name = claim.type.name
    guard let prefix = prefixes.first(where: { name.utf8.starts(with: $0.utf8) }) else {
      return nil
    }
    guard stripsPrefix else { return claim }
    var shortened = claim
    shortened.type = ClaimType(
      String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    return shortened
  }
}
