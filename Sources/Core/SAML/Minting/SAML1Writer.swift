import Claims
import TokenBasics
import XMLTree

/// Writes a SAML 1.1 assertion or response in the order of the schema (SAML Core 1.1, 2.3.2, 3.4.1).
struct SAML1Writer {
  private let draft: TokenDraft
  private let delivery: SAMLDelivery

  init(_ draft: TokenDraft, _ delivery: SAMLDelivery) {
    self.draft = draft
    self.delivery = delivery
  }

  private static let prefixes = [
    SAML1Name.assertionNamespace: "saml", SAML1Name.protocolNamespace: "samlp",
  ]

  /// The signature is the last child.
  func assertion() throws(TokenError) -> XMLFragment {
    try XMLWriter.fragment(
      SAML1Name.assertion,
      [
        (AttributeName.majorVersion, "1"), (AttributeName.minorVersion, "1"),
        (AttributeName.assertionID, draft.id), (AttributeName.issuer, draft.issuer),
        (AttributeName.issueInstant, issuedAt),
      ], prefixes: Self.prefixes
    ) { writer throws(TokenError) in
      try writeConditions(to: &writer)
      try writeAttributes(to: &writer)
      try writer.element(
        SAML1Name.authenticationStatement,
        [
          (
            AttributeName.authenticationMethod,
            delivery.authenticationMethod ?? SAML1Name.unspecifiedMethod
          ),
          (
            AttributeName.authenticationInstant,
            (delivery.authenticatedAt ?? draft.issuedAt).withMilliseconds
          ),
        ]
      ) { writer throws(TokenError) in
        try writeSubject(to: &writer)
      }
      writer.leavePlaceForSignature()
    }
  }

  /// The signature is the first child.
  func response(id: String, _ assertion: XMLFragment) throws(TokenError) -> XMLFragment {
    try XMLWriter.fragment(
      SAML1Name.response,
      [
        (AttributeName.majorVersion, "1"), (AttributeName.minorVersion, "1"),
        (AttributeName.responseID, id), (AttributeName.issueInstant, issuedAt),
        (AttributeName.recipient, delivery.recipient),
        (AttributeName.inResponseTo, delivery.inResponseTo),
      ], prefixes: Self.prefixes
    ) { writer throws(TokenError) in
      writer.leavePlaceForSignature()
      try writer.element(SAML1Name.status) { writer throws(TokenError) in
        // A QName; the root, which is samlp:Response, declares its prefix.
        try writer.element(SAML1Name.statusCode, [(AttributeName.value, "samlp:Success")])
      }
      writer.append(assertion)
    }
  }

  private var issuedAt: String { draft.issuedAt.withMilliseconds }

  private func writeConditions(to writer: inout XMLWriter) throws(TokenError) {
    try writer.element(
      SAML1Name.conditions,
      [
        (AttributeName.notBefore, draft.validFrom.withMilliseconds),
        (AttributeName.notOnOrAfter, draft.expires.withMilliseconds),
      ]
    ) { writer throws(TokenError) in
      try writer.element(SAML1Name.audienceRestriction) { writer throws(TokenError) in
        for audience in draft.audiences { try writer.element(SAML1Name.audience, text: audience) }
      }
      if delivery.isForOneUse { try writer.element(SAML1Name.doNotCache) }
    }
  }

  /// Every statement has the subject.
  private func writeSubject(to writer: inout XMLWriter) throws(TokenError) {
    try writer.element(SAML1Name.subject) { writer throws(TokenError) in
      if let subject = draft.subject {
        try writer.element(
          SAML1Name.nameIdentifier,
          [
            (AttributeName.nameQualifier, delivery.nameQualifier),
            (AttributeName.format, delivery.nameFormat),
          ], text: subject)
      }
      try writer.element(SAML1Name.subjectConfirmation) { writer throws(TokenError) in
        try writer.element(SAML1Name.confirmationMethod, text: SAML1Name.bearer)
      }
    }
  }

  /// One Attribute for each type, where the type first occurs. The schema wants at least one.
  private func writeAttributes(to writer: inout XMLWriter) throws(TokenError) {
    guard !draft.claims.isEmpty else { return }
    try writer.element(SAML1Name.attributeStatement) { writer throws(TokenError) in
      try writeSubject(to: &writer)
      for (type, values) in draft.claims.grouped {
        let (namespace, name) = try Self.parts(of: type)
        try writer.element(
          SAML1Name.attribute,
          [(AttributeName.attributeName, name), (AttributeName.attributeNamespace, namespace)]
        ) { writer throws(TokenError) in
          for value in values { try writer.element(SAML1Name.attributeValue, text: value) }
        }
      }
    }
  }

  /// A type is cut at its last `/`, as Windows Identity Foundation cuts it; readers join the parts
  /// with one.
  ///
  /// - Throws: `policy.mint-claim-type` when one of the parts would be empty.
  private static func parts(
    of type: ClaimType
  ) throws(TokenError) -> (namespace: String, name: String) {
    guard let slash = type.name.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      throw TokenError(.mintClaimType, node: "claim \(TokenError.excerpt(type.name))")
    }
    let namespace = String(type.name[..<slash])
    let name = String(type.name[type.name.utf8.index(after: slash)...])
    guard !namespace.isEmpty, !name.isEmpty else {
      throw TokenError(.mintClaimType, node: "claim \(TokenError.excerpt(type.name))")
    }
    return (namespace, name)
  }
}
