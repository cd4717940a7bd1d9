/// How the browser brings the answer (OAuth 2.0 Multiple Response Type Encoding Practices, 2.1).
public enum OpenIDResponseMode: String, Hashable, Sendable {
  /// In the query of a GET.
  case query
  /// In a form that the browser posts (OAuth 2.0 Form Post Response Mode, 2).
  case formPost = "form_post"
}
