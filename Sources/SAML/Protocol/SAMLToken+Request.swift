import XMLTree

extension SAMLToken {
  /// The request that the response or the bearer confirmation names, without any proof: it only chooses
  /// what the token is compared with. Nil when none is named.
  package var unverifiedRequest: String? {
    response?.element.attribute(AttributeName.inResponseTo)
      ?? assertion?.descendants(named: SAML2Name.subjectConfirmationData).lazy
      .compactMap { $0.attribute(AttributeName.inResponseTo) }.first
  }
}
