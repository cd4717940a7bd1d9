import TokenBasics

/// How recent and how strong a sign-in was asked to be. It is kept with the session: what the provider did not do when it
/// was asked, it does not do when it is asked again.
public struct AskedAuthentication: Hashable, Sendable {
  /// The accepted authentication contexts; empty for any.
  public let contexts: [String]
  /// The most seconds since the subject proved who it is; nil for any.
  public let maxAge: Int?

  /// Nil for nothing.
  package init?(contexts: [String], maxAge: Int?) {
    guard !contexts.isEmpty || maxAge != nil else { return nil }
    self.contexts = contexts
    self.maxAge = maxAge
  }

  init?(_ demands: SignInDemands) {
    self.init(contexts: demands.contexts, maxAge: demands.maxAge)
  }

  /// Reads what ``write(to:)`` wrote.
  init?(_ json: JSONValue?) {
    guard let json else { return nil }
    self.init(
      contexts: json["contexts"]?.array?.compactMap(\.string) ?? [],
      maxAge: json["maxAge"]?.integer)
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.name("contexts")
      json.array { json in for context in contexts { json.string(context) } }
      if let maxAge {
        json.name("maxAge")
        json.integer(maxAge)
      }
    }
  }
}
