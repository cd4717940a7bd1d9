/// What a person reads who is signed in and may not see the page that they asked for.
public struct ForbiddenPage: Sendable {
  /// Who the person is here, which is theirs to see.
  public let subject: String
  /// The name of the provider by which they signed in.
  public let provider: String
  /// The error's code.
  public let code: String
  /// The number under which the service logged it.
  public let reference: String
  /// Where to sign in by another provider; nil where there is one alone.
  public let signIn: String?
  /// Where to sign out.
  public let signOut: String
  /// Whether the person may see the page, but for the way in which they signed in.
  public let needsStrongerSignIn: Bool

  package init(
    subject: String, provider: String, code: String, reference: String, signIn: String?,
    signOut: String, needsStrongerSignIn: Bool = false
  ) {
    self.subject = subject
    self.provider = provider
    self.code = code
    self.reference = reference
    self.signIn = signIn
    self.signOut = signOut
    self.needsStrongerSignIn = needsStrongerSignIn
  }
}
