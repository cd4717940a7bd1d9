import TokenBasics

/// How recent and how strong a sign-in was asked to be. It is kept with the session: what the provider did not do when it
/// was asked, it does not do when it is asked again.
public struct AskedAuthentication: Hashable, Sendable {
  /// The accepted authentication contexts; empty for any.
  public private(set) var contexts: [String] = []
  /// The most seconds since the subject proved who it is; nil for any.
  public private(set) var maxAge: Int?

  private init() {}

  /// Nil for nothing.
  package init?(contexts: [String], maxAge: Int?) {
    guard !contexts.isEmpty || maxAge != nil else { return nil }
    self.contexts = contexts
    self.maxAge = maxAge
  }

  init?(_ demands: SignInDemands) {
    self.init(contexts: demands.contexts, maxAge: demands.maxAge)
  }
}

extension AskedAuthentication: KeptRecord {
  package static var blank: Self { Self() }

  package mutating func members(_ kept: inout KeptMembers) {
    kept.member("contexts", &contexts)
    kept.member("maxAge", &maxAge)
    if contexts.isEmpty, maxAge == nil { kept.refuse() }
  }
}
