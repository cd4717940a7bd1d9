/// What a person reads who is signed in and may not see the page that they asked for.
public struct ForbiddenPage: Sendable {
  /// Who the person is here, which is theirs to see.
  public let subject: String
  /// The name of the provider by which they signed in.
  public let provider: String
  /// Whether the provider signed them in less strongly than the page demands.
  public let isWeaker: Bool
  /// The error's code.
  public let code: String
  /// The number under which the service logged it.
  public let reference: String
  /// Where to sign in by another provider; nil where there is one alone.
  public let signIn: String?
  /// Where to sign out.
  public let signOut: String

  package init(
    subject: String, provider: String, isWeaker: Bool = false, code: String, reference: String,
    signIn: String?, signOut: String
  ) {
    self.subject = subject
    self.provider = provider
    self.isWeaker = isWeaker
    self.code = code
    self.reference = reference
    self.signIn = signIn
    self.signOut = signOut
  }
}
