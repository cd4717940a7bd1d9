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

extension SignOut {
  /// As the store keeps it.
  package var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.name("reply")
      reply.write(to: &json)
      json.name("asked")
      json.array { json in for text in asked.parts { json.string(text) } }
      for (name, texts) in [("names", names), ("pictures", pictures)] {
        json.name(text: name)
        json.array { json in for text in texts { json.string(text) } }
      }
      json.name("parties")
      json.array { json in for party in parties { json.raw(party.json) } }
      json.name("sessions")
      json.array { json in for session in sessions { json.raw(session.json) } }
      json.name("partial")
      json.bool(isPartial)
    }
    return json.bytes
  }

  /// The sign-out that ``json`` wrote; nil for anything else.
  package init?(id: String, json octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets), let reply = json["reply"].flatMap(Reply.init),
      let asked = json["asked"]?.array.flatMap({ Asked($0.compactMap(\.string)) })
    else { return nil }
    self.id = id
    self.reply = reply
    self.asked = asked
    names = json["names"]?.array?.compactMap(\.string) ?? []
    pictures = json["pictures"]?.array?.compactMap(\.string) ?? []
    parties = json["parties"]?.array?.compactMap { VisitedParty($0) } ?? []
    sessions = json["sessions"]?.array?.compactMap { SignedInSession($0) } ?? []
    isPartial = json["partial"]?.bool ?? true
  }
}

extension SignOut.Asked {
  var parts: [String] {
    switch self {
    case .page: ["page"]
    case .serviceProvider(let realm, let request): ["party", realm, request]
    case .provider: ["provider"]
    case .person: ["person"]
    }
  }

  init?(_ parts: [String]) {
    switch (parts.first, parts.count) {
    case ("page", 1): self = .page
    case ("party", 3): self = .serviceProvider(realm: parts[1], request: parts[2])
    case ("provider", 1): self = .provider
    case ("person", 1): self = .person
    default: return nil
    }
  }
}

extension SignOut.Reply {
  func write(to json: inout JSONWriter) {
    json.object { json in
      switch self {
      case .page(let back):
        json.member("text", back?.text)
        json.member("address", back?.address)
      case .redirect(let address): json.member("redirect", address)
      case .serviceProvider(let realm, let request, let relayState):
        json.member("realm", realm)
        json.member("request", request)
        json.member("state", relayState)
      case .provider(let done, let partial):
        json.name("done")
        Self.write(done, to: &json)
        json.name("partial")
        Self.write(partial, to: &json)
      }
    }
  }

  init?(_ json: JSONValue) {
    if let address = json["redirect"]?.string {
      self = .redirect(address)
    } else if let realm = json["realm"]?.string {
      guard let request = json["request"]?.string else { return nil }
      self = .serviceProvider(
        realm: realm, request: request, relayState: json["state"]?.string)
    } else if let done = json["done"], let partial = json["partial"] {
      guard let done = Self.action(done), let partial = Self.action(partial) else { return nil }
      self = .provider(done: done, partial: partial)
    } else {
      self = .page(
        back: json["text"]?.string.flatMap { text in
          json["address"]?.string.map { PageContent.Link(text, to: $0) }
        })
    }
  }

  /// The address, and for a form its fields.
  private static func write(_ action: BrowserAction, to json: inout JSONWriter) {
    json.array { json in
      json.string(action.address.text)
      guard case .post(_, let fields) = action else { return }
      for field in fields {
        json.string(field.name)
        json.string(field.value)
      }
    }
  }

  private static func action(_ json: JSONValue) -> BrowserAction? {
    guard let texts = json.array?.compactMap(\.string),
      let address = texts.first.flatMap({ try? HTTPURL($0) })
    else { return nil }
    guard texts.count > 1 else { return .redirect(address) }
    let fields = stride(from: 1, to: texts.count - 1, by: 2).map { place in
      (name: texts[place], value: texts[place + 1])
    }
    return .post(address, fields: fields)
  }
}
