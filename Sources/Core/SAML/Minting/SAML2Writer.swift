import Claims
import TokenBasics
import XMLTree

/// Writes a SAML 2.0 assertion or response in the order of the schema (SAML Core 2.3.3, 3.2.2).
struct SAML2Writer {
  private let draft: TokenDraft
  private let delivery: SAMLDelivery

  init(_ draft: TokenDraft, _ delivery: SAMLDelivery) {
    self.draft = draft
    self.delivery = delivery
  }

  private static let prefixes = [
    SAML2Name.assertionNamespace: "saml", SAML2Name.protocolNamespace: "samlp",
  ]

  /// The signature follows the issuer.
  func assertion() throws(TokenError) -> XMLFragment {
    try XMLWriter.fragment(
      SAML2Name.assertion,
      [
        (AttributeName.id, draft.id), (AttributeName.version, "2.0"),
        (AttributeName.issueInstant, issuedAt),
      ], prefixes: Self.prefixes
    ) { writer throws(TokenError) in
      try writer.element(SAML2Name.issuer, text: draft.issuer)
      writer.leavePlaceForSignature()
      try writeSubject(to: &writer)
      try writeConditions(to: &writer)
      try writeAuthentication(to: &writer)
      try writeAttributes(to: &writer)
    }
  }

  /// SAML Core 2.3.4.
  static func encryptedAssertion(_ data: XMLFragment) throws(TokenError) -> XMLFragment {
    try XMLWriter.fragment(SAML2Name.encryptedAssertion, prefixes: prefixes) {
      writer throws(TokenError) in
      writer.append(data)
    }
  }

  /// The signature follows the issuer.
  func response(id: String, _ assertion: XMLFragment) throws(TokenError) -> XMLFragment {
    try XMLWriter.fragment(
      SAML2Name.response,
      [
        (AttributeName.id, id), (AttributeName.version, "2.0"),
        (AttributeName.issueInstant, issuedAt), (AttributeName.destination, delivery.recipient),
        (AttributeName.inResponseTo, delivery.inResponseTo),
      ], prefixes: Self.prefixes
    ) { writer throws(TokenError) in
      try writer.element(SAML2Name.issuer, text: draft.issuer)
      writer.leavePlaceForSignature()
      try writer.element(SAML2Name.status) { writer throws(TokenError) in
        try writer.element(
          SAML2Name.statusCode, [(AttributeName.value, SAML2Name.success.description)])
      }
      writer.append(assertion)
    }
  }

  private var issuedAt: String { draft.issuedAt.withMilliseconds }
  private var expires: String { draft.expires.withMilliseconds }

  private func writeSubject(to writer: inout XMLWriter) throws(TokenError) {
    try writer.element(SAML2Name.subject) { writer throws(TokenError) in
      if let subject = draft.subject {
        try writer.element(
          SAML2Name.nameID,
          [
            (AttributeName.format, delivery.nameFormat),
            (AttributeName.nameQualifier, delivery.nameQualifier),
            (AttributeName.spNameQualifier, delivery.spNameQualifier),
          ], text: subject)
      }
      try writer.element(
        SAML2Name.subjectConfirmation, [(AttributeName.method, SAML2Name.bearer.description)]
      ) { writer throws(TokenError) in
        try writer.element(
          SAML2Name.subjectConfirmationData,
          [
            (AttributeName.notOnOrAfter, expires), (AttributeName.recipient, delivery.recipient),
            (AttributeName.inResponseTo, delivery.inResponseTo),
          ])
      }
    }
  }

  private func writeConditions(to writer: inout XMLWriter) throws(TokenError) {
    try writer.element(
      SAML2Name.conditions,
      [
        (AttributeName.notBefore, draft.validFrom.withMilliseconds),
        (AttributeName.notOnOrAfter, expires),
      ]
    ) { writer throws(TokenError) in
      try writer.element(SAML2Name.audienceRestriction) { writer throws(TokenError) in
        for audience in draft.audiences { try writer.element(SAML2Name.audience, text: audience) }
      }
      if delivery.isForOneUse { try writer.element(SAML2Name.oneTimeUse) }
    }
  }

  /// The assertion's identifier may be used (SAML Core 2.7.2); this one is recognized beside it.
  private var sessionIndex: String { delivery.sessionIndex ?? draft.id + "-session" }

  /// A browser sign-in must state when and how the subject signed in (SAML Profiles 4.1.4.2).
  private func writeAuthentication(to writer: inout XMLWriter) throws(TokenError) {
    let method = delivery.authenticationMethod ?? SAML2Name.unspecifiedClass
    try writer.element(
      SAML2Name.authnStatement,
      [
        (AttributeName.authnInstant, delivery.authenticatedAt?.withMilliseconds ?? issuedAt),
        (AttributeName.sessionIndex, sessionIndex),
        (AttributeName.sessionNotOnOrAfter, delivery.sessionEnd?.withMilliseconds),
      ]
    ) { writer throws(TokenError) in
      try writer.element(SAML2Name.authnContext) { writer throws(TokenError) in
        try writer.element(SAML2Name.authnContextClassRef, text: method)
        for authority in delivery.authorities {
          try writer.element(SAML2Name.authenticatingAuthority, text: authority)
        }
      }
    }
  }

  /// One Attribute for each type, where the type first occurs. The schema wants at least one.
  private func writeAttributes(to writer: inout XMLWriter) throws(TokenError) {
    guard !draft.claims.isEmpty else { return }
    try writer.element(SAML2Name.attributeStatement) { writer throws(TokenError) in
      for (type, values) in draft.claims.grouped {
        try writer.element(
          SAML2Name.attribute,
          [
            (AttributeName.name, type.name),
            (AttributeName.nameFormat, delivery.attributeNameFormat.uri(of: type.name)),
          ]
        ) { writer throws(TokenError) in
          for value in values { try writer.element(SAML2Name.attributeValue, text: value) }
        }
      }
    }
  }
}
