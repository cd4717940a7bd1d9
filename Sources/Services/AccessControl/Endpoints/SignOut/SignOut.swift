import HTTPExchange
import SignIn
import TokenBasics

/// A sign-out on its way: who the browser still goes to, one after the other, and what it gets in the end. It is kept in the
/// store under the number in the browser's cookie.
package struct SignOut {
  /// What the browser gets in the end.
  enum Reply {
    /// The page that says so, with a link back.
    case page(back: PageContent.Link?)
    /// A redirect to the relying party that asked.
    case redirect(String)
    /// A `LogoutResponse` to the service provider that asked.
    case serviceProvider(realm: String, request: String, relayState: String?)
    /// What answers the provider that signed out: where all ended, and where not all did.
    case provider(done: BrowserAction, partial: BrowserAction)
  }

  /// Whose answer, or what, it waits for.
  enum Asked {
    /// The page with pictures was shown.
    case page
    /// A service provider was sent a `LogoutRequest` of that identifier.
    case serviceProvider(realm: String, request: String)
    /// A real provider was told.
    case provider
    /// The person is asked whether to sign out at all, and nothing was told.
    case person
  }

  var id: String
  var reply: Reply
  var asked = Asked.page
  /// The names of the applications that the person signed in to, for the page.
  var names: [String] = []
  /// By which WS-Federation is told.
  var pictures: [String] = []
  /// The service providers that are told through the browser.
  var parties: [VisitedParty] = []
  /// The sessions at real providers.
  var sessions: [SignedInSession] = []
  /// Whether someone did not answer, or cannot.
  var isPartial = false

  init(id: String, reply: Reply) {
    self.id = id
    self.reply = reply
  }

  /// Seconds within which the browser has to come back from each.
  static let lifetime: Int64 = 600
}

extension SignOut: KeptValue {
  package static var blank: Self { Self(id: "", reply: .page(back: nil)) }

  package mutating func members(_ kept: inout KeptMembers) {
    kept.member("reply", &reply)
    kept.member("asked", &asked)
    kept.member("names", &names, usually: [])
    kept.member("pictures", &pictures, usually: [])
    kept.readableMembers("parties", &parties)
    kept.readableMembers("sessions", &sessions)
    kept.member("partial", &isPartial)
  }

  /// The sign-out that ``json`` wrote; nil for anything else.
  package init?(id: String, json octets: [UInt8]) {
    self.init(json: octets)
    self.id = id
  }
}

extension SignOut.Asked: KeptTexts {
  var keptTexts: [String] {
    switch self {
    case .page: ["page"]
    case .serviceProvider(let realm, let request): ["party", realm, request]
    case .provider: ["provider"]
    case .person: ["person"]
    }
  }

  init?(keptTexts texts: [String]) {
    switch (texts.first, texts.count) {
    case ("page", 1): self = .page
    case ("party", 3): self = .serviceProvider(realm: texts[1], request: texts[2])
    case ("provider", 1): self = .provider
    case ("person", 1): self = .person
    default: return nil
    }
  }
}

extension SignOut.Reply: KeptRecord {
  static var blank: Self { .page(back: nil) }

  mutating func members(_ kept: inout KeptMembers) {
    var parts = Parts(self)
    kept.member("text", &parts.text)
    kept.member("address", &parts.address)
    kept.member("redirect", &parts.redirect)
    kept.member("realm", &parts.realm)
    kept.member("request", &parts.request)
    kept.member("state", &parts.relayState)
    kept.member("done", &parts.done)
    kept.member("partial", &parts.partial)
    guard let reply = parts.reply else { return kept.refuse() }
    self = reply
  }

  /// The members of all replies, of which each has its own.
  private struct Parts {
    var text: String?
    var address: String?
    var redirect: String?
    var realm: String?
    var request: String?
    var relayState: String?
    var done: BrowserAction?
    var partial: BrowserAction?

    init(_ reply: SignOut.Reply) {
      switch reply {
      case .page(let back): (text, address) = (back?.text, back?.address)
      case .redirect(let address): redirect = address
      case .serviceProvider(let realm, let request, let relayState):
        (self.realm, self.request, self.relayState) = (realm, request, relayState)
      case .provider(let done, let partial): (self.done, self.partial) = (done, partial)
      }
    }

    /// Nil for a member without the other that belongs to it.
    var reply: SignOut.Reply? {
      if let redirect { return .redirect(redirect) }
      if realm != nil || request != nil {
        guard let realm, let request else { return nil }
        return .serviceProvider(realm: realm, request: request, relayState: relayState)
      }
      if done != nil || partial != nil {
        guard let done, let partial else { return nil }
        return .provider(done: done, partial: partial)
      }
      guard let text, let address else { return .page(back: nil) }
      return .page(back: PageContent.Link(text, to: address))
    }
  }
}

/// The address, and for a form the name and the value of each of its fields.
extension BrowserAction: KeptTexts {
  package var keptTexts: [String] {
    guard case .post(let address, let fields) = self else { return [address.text] }
    return [address.text] + fields.flatMap { [$0.name, $0.value] }
  }

  package init?(keptTexts texts: [String]) {
    guard let address = texts.first.flatMap({ try? HTTPURL($0) }), texts.count % 2 == 1 else {
      return nil
    }
    guard texts.count > 1 else {
      self = .redirect(address)
      return
    }
    let fields = stride(from: 1, to: texts.count, by: 2).map { place in
      (name: texts[place], value: texts[place + 1])
    }
    self = .post(address, fields: fields)
  }
}
