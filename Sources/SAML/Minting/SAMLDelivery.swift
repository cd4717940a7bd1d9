/// How a SAML assertion gets to its reader: what its confirmation and the response around it say.
public struct SAMLDelivery: Hashable, Sendable {
  /// The address that the token is delivered to. A browser sign-in of SAML 2.0 must have one (SAML
  /// Profiles 4.1.4.2).
  public var recipient: String?
  /// The request that the token answers.
  public var inResponseTo: String?
  /// The `Format` of the subject's name; nil for unspecified.
  public var nameFormat: String?
  /// How the subject signed in: the class reference of SAML 2.0 or the method of SAML 1.1; nil for
  /// unspecified.
  public var authenticationMethod: String?

  /// A delivery that says nothing but what is named.
  public init(
    recipient: String? = nil, inResponseTo: String? = nil, nameFormat: String? = nil,
    authenticationMethod: String? = nil
  ) {
    self.recipient = recipient
    self.inResponseTo = inResponseTo
    self.nameFormat = nameFormat
    self.authenticationMethod = authenticationMethod
  }
}
