/// What a format knows about a token whose audience is not ours.
package struct AudienceAdvice {
  /// What the token has in place of an audience.
  package let found: String?
  /// What to do in that situation.
  package let hint: String

  package init(found: String? = nil, hint: String) {
    self.found = found
    self.hint = hint
  }
}
