import Octets
public import Federation

/// Who may pass below a path.
public struct GateRule: Hashable, Sendable {
  /// The path; the rule is for it and everything below.
  public let path: RequestTarget
  /// The method; nil for all.
  public let method: String?
  /// The claim types that are looked at, together; empty for every signed-in subject.
  public let claims: [ClaimType]
  /// The values of which one has to be there.
  public let values: [String]
  /// Whether the values keep out instead.
  public let denies: Bool
  /// The providers whose people are meant, by their identifiers; nil for any.
  public let providers: [String]?
  /// Where the rule is in the file.
  public let place: String

  /// A rule.
  public init(
    path: RequestTarget, method: String? = nil, claims: [ClaimType] = [], values: [String] = [],
    denies: Bool = false, providers: [String]? = nil, place: String = ""
  ) {
    self.path = path
    self.method = method
    self.claims = claims
    self.values = values
    self.denies = denies
    self.providers = providers
    self.place = place
  }

  /// Whether the rule is for a request; a rule for GET is for HEAD too, which tells of the same page.
  func covers(_ target: RequestTarget, _ method: String) -> Bool {
    guard target.isCovered(by: path) else { return false }
    guard let own = self.method else { return true }
    return own.hasSameBytes(as: method) || (own == "GET" && method == "HEAD")
  }

  /// Whether the subject is of one of the providers and has one of the values, or none is asked for. A value lets
  /// in as it is written; it keeps out in any case and any Unicode normalization, so that another spelling is no
  /// way round (GATE-27).
  func isMet(by subject: GateSubject) -> Bool {
    guard providers?.containsBytes(of: subject.provider) ?? true else { return false }
    guard !claims.isEmpty else { return true }
    let found = claims.flatMap { subject.values($0, denies ? .toRefuse : .toAllow) }
    guard denies else { return found.contains { values.containsBytes(of: $0) } }
    let kept = Set(values.map(Self.folded))
    return found.contains { kept.contains(Self.folded($0)) }
  }

  /// Two spellings of one word have the same; strings compare by canonical equivalence.
  private static func folded(_ text: String) -> String { text.lowercased() }

  /// How specific the rule is: by depth, then by method.
  var rank: (Int, Int) { (path.depth, method == nil ? 0 : 1) }
}
