public import Federation
import Octets

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
  /// The providers whose people are meant, and whose word counts.
  public let counted: CountedProviders
  /// ``counted-property``, by their identifiers; nil for any.
  public var providers: [String]? { counted.identifiers }
  /// Where the rule is in the file.
  public let place: String
  /// The claim as the file names it; empty for none.
  var claim = ""
  /// Whether the path is open to everybody.
  public var isPublic = false
  /// The authentication contexts of which one is demanded; empty for any.
  public var contexts: [String] = []
  /// The most seconds since the subject proved who it is; nil for any.
  public var maxAge: Int?
  /// The scopes that a bearer token has to have, all of them.
  public var scopes: [String] = []
  /// Whether the session of a browser is enough.
  public var takesSessions = true

  /// A rule.
  public init(
    path: RequestTarget, method: String? = nil, claims: [ClaimType] = [], values: [String] = [],
    denies: Bool = false, providers: [String]? = nil, place: String = ""
  ) {
    self.init(
      path: path, method: method, claims: claims, values: values, denies: denies,
      counting: providers.map { .only($0) } ?? .any, place: place)
  }

  /// A rule that says, or does not say, whose word counts.
  init(
    path: RequestTarget, method: String?, claims: [ClaimType], values: [String], denies: Bool,
    counting counted: CountedProviders, place: String
  ) {
    self.path = path
    self.method = method
    self.claims = claims
    self.values = values
    self.denies = denies
    self.counted = counted
    self.place = place
  }

  /// Whether the rule is for a request; a rule for GET is for HEAD too, which tells of the same page.
  func covers(_ target: RequestTarget, _ method: String) -> Bool {
    guard target.isCovered(by: path) else { return false }
    guard let own = self.method else { return true }
    return own.hasSameBytes(as: method) || (own == "GET" && method == "HEAD")
  }

  /// Whether the rule would open a resource as a whole: a public one for the resource's path, or for one above it.
  func opens(_ resource: RequestTarget?, for path: RequestTarget) -> Bool {
    guard isPublic, let resource else { return false }
    return path.isCovered(by: resource) && resource.isCovered(by: self.path)
  }

  /// Whether the rule lets the subject pass, or keeps it out where ``denies``. A value lets in as it is written; it keeps
  /// out in any case and any Unicode normalization, so that another spelling is no way round (GATE-27).
  ///
  /// Only people of ``counted-property`` pass, whether the values let in or keep out: another provider's silence about a
  /// group says nothing about the person.
  func isMet(by subject: GateSubject) -> Bool {
    guard counted.contains(subject.provider) else { return denies }
    guard !claims.isEmpty else { return true }
    let found = subject.values(of: claims, denies ? .toRefuse : .toAllow)
    guard denies else { return found.contains { values.containsBytes(of: $0) } }
    let kept = Set(values.map(Self.folded))
    return found.contains { kept.contains(Self.folded($0)) }
  }

  /// Whether the rule is about groups that the issuer left out, so that it cannot be judged.
  func lacksGroups(of subject: GateSubject) -> Bool {
    counted.contains(subject.provider) && claims.contains(where: GateClaim.isGroups)
      && subject.lacksGroups
  }

  /// Whether the rule is about a claim that the session dropped, so that it cannot be judged until the person signs in again.
  func lacksDropped(of subject: GateSubject) -> Bool {
    counted.contains(subject.provider) && subject.mayHaveDropped(claims)
  }

  /// What the subject lacks of the sign-in that the rule demands; nil for nothing.
  func missingAuthentication(of subject: GateSubject) -> StepUp? {
    let authentication = subject.authentication
    let isStrong =
      contexts.isEmpty || authentication.contexts.contains { contexts.containsBytes(of: $0) }
    let isRecent = maxAge.map { Self.isRecent(authentication.age, $0) } ?? true
    guard !isStrong || !isRecent else { return nil }
    return StepUp(
      contexts: contexts, maxAge: maxAge,
      isInVain: !isStrong && wasAskedInVain(authentication)
        || !isRecent && wasOldAtSignIn(authentication))
  }

  /// Whether the provider was asked for nothing else than these contexts, and did not do it.
  private func wasAskedInVain(_ authentication: GateAuthentication) -> Bool {
    guard let asked = authentication.asked?.contexts, !asked.isEmpty else { return false }
    return asked.allSatisfy { contexts.containsBytes(of: $0) }
  }

  /// Whether the provider was asked for no older sign-in, and used an older one.
  private func wasOldAtSignIn(_ authentication: GateAuthentication) -> Bool {
    guard let maxAge, let asked = authentication.asked?.maxAge, asked <= maxAge else {
      return false
    }
    return !Self.isRecent(authentication.ageAtSignIn, maxAge)
  }

  /// Whether something is known to be that many seconds ago at most, by clocks that may differ by a minute.
  private static func isRecent(_ age: Int64?, _ maxAge: Int) -> Bool {
    age.map { (-60...Int64(maxAge) + 60).contains($0) } ?? false
  }

  /// Two spellings of one word have the same; strings compare by canonical equivalence.
  private static func folded(_ text: String) -> String { text.lowercased() }

  /// How specific the rule is: by depth, then by method.
  var rank: (Int, Int) { (path.depth, method == nil ? 0 : 1) }
}
