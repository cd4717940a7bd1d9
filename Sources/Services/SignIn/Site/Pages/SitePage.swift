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
  /// The session is over.
  case signedOut(note: String?, address: String)
}
