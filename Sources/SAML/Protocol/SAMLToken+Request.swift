import XMLTree

extension SAMLToken {
  /// The issuer of the message around the assertion, without any proof; nil where there is none.
  package var unverifiedResponseIssuer: String? {
    response?.issuer.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The request that the response or the bearer confirmation names, without any proof: it only chooses
  /// what the token is compared with. Nil when none is named.
  package var unverifiedRequest: String? {
    response?.element.attribute(AttributeName.inResponseTo)
      ?? assertion?.descendants(named: SAML2Name.subjectConfirmationData).lazy
      .compactMap { $0.attribute(AttributeName.inResponseTo) }.first
  }
}
