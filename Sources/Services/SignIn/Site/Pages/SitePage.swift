/// A page that a person sees. What it shows comes from configuration and from fixed texts; nothing of a request
/// is in it, so that no request can write into it (GATE-25).
public enum SitePage: Sendable {
  /// The providers to choose from.
  case providers(ChoicePage)
  /// A form that is posted to an identity provider.
  case form(HTTPURL, fields: [(name: String, value: String)])
  /// What went wrong.
  case refusal(RefusalPage)
  /// Asks whether to sign out of a session that began at `provider`. The token comes back with the form.
  case confirmSignOut(provider: String, address: String, token: String)
  /// A page that a site composes of parts.
  case content(PageContent)
  /// The person is signed in and may not see what they asked for.
  case forbidden(ForbiddenPage)
  /// The session is over.
  case signedOut(note: String?, address: String)
}

/// Makes HTML of pages. The default is plain, accessible and without scripts but the one that posts a form.
public protocol PageRenderer: Sendable {
  /// The HTML, and the Content-Security-Policy that it needs.
  func html(_ page: SitePage) -> (html: String, policy: String)
}

/// The page on which a person chooses an identity provider: a few as links, many by their names.
public struct ChoicePage: Sendable {
  /// The providers that are shown: name and address. The one chosen last is first.
  public let providers: [(name: String, address: String)]
  /// The names to type from and where the form goes; nil where every provider is shown.
  public let search: Search?
  /// The application that the person signs in to; nil for the site itself.
  public let application: String?
  /// Whether the first of the providers is the one that this browser chose last.
  public let isLastFirst: Bool
  /// Where a person goes who does not want to sign in; nil where there is no such place.
  public let cancel: String?

  /// A form in which a provider's name is typed. A browser completes it from the names, without a script.
  public struct Search: Sendable {
    /// The path of the form.
    public let address: String
    /// What the form carries along.
    public let fields: [(name: String, value: String)]
    /// The names of all providers.
    public let names: [String]
    /// Whether a name was typed that no provider has.
    public let isInVain: Bool
    /// How many providers have in their names what was typed.
    public let matches: Int

    /// The form of the page of choice; without `matches` all names fit.
    public init(
      address: String, fields: [(name: String, value: String)], names: [String], isInVain: Bool,
      matches: Int? = nil
    ) {
      self.address = address
      self.fields = fields
      self.names = names
      self.isInVain = isInVain
      self.matches = matches ?? names.count
    }
  }

  /// The page on which a person chooses a provider.
  public init(
    providers: [(name: String, address: String)], search: Search? = nil,
    application: String? = nil, isLastFirst: Bool = false, cancel: String? = nil
  ) {
    self.providers = providers
    self.search = search
    self.application = application
    self.isLastFirst = isLastFirst
    self.cancel = cancel
  }

  /// The most providers that are shown as links.
  package static let mostLinks = 12
  /// The field of the form.
  public static let field = "name"
}
