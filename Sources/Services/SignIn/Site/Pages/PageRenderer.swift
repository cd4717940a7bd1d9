/// Makes HTML of pages. The default is plain, accessible and without scripts but the one that posts a form.
public protocol PageRenderer: Sendable {
  /// The HTML, and the Content-Security-Policy that it needs.
  func html(_ page: SitePage) -> (html: String, policy: String)
}
