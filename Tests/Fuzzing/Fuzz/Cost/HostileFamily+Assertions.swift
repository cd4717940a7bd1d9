extension HostileFamily {
  static let assertions = [
    HostileFamily("attributes of an assertion", .token) { scale in
      response(
        statement(
          numbered(scale * 1_100) {
            "<saml:Attribute Name='a\($0)'><saml:AttributeValue>v</saml:AttributeValue>"
              + "</saml:Attribute>"
          }))
    },
    HostileFamily("one attribute of many names alike", .token) { scale in
      response(
        statement(
          times(
            scale * 1_100,
            "<saml:Attribute Name='a'><saml:AttributeValue>v</saml:AttributeValue></saml:Attribute>"
          )))
    },
    HostileFamily("values of one attribute", .token) { scale in
      response(
        statement(
          "<saml:Attribute Name='a'>\(times(scale * 2_300, "<saml:AttributeValue/>"))"
            + "</saml:Attribute>"))
    },
    HostileFamily("an attribute value that is a document", .token) { scale in
      response(
        statement(
          "<saml:Attribute Name='a'><saml:AttributeValue>\(times(scale * 2_200, "<e>v</e>"))"
            + "</saml:AttributeValue></saml:Attribute>"))
    },
    HostileFamily("a value cut up by comments", .token) { scale in
      response(
        statement(
          "<saml:Attribute Name='a'><saml:AttributeValue>\(times(scale * 16_000, "x<!---->"))"
            + "</saml:AttributeValue></saml:Attribute>"))
    },
    HostileFamily("audiences", .token) { scale in
      response(
        "<saml:Conditions><saml:AudienceRestriction>"
          + numbered(scale * 2_200) { "<saml:Audience>u:\($0)</saml:Audience>" }
          + "</saml:AudienceRestriction></saml:Conditions>")
    },
    HostileFamily("audience restrictions", .token) { scale in
      response(
        "<saml:Conditions>"
          + times(
            scale * 1_100,
            "<saml:AudienceRestriction><saml:Audience>u:</saml:Audience></saml:AudienceRestriction>"
          )
          + "</saml:Conditions>")
    },
    HostileFamily("confirmations", .token) { scale in
      response(
        "<saml:Subject><saml:NameID>a</saml:NameID>"
          + times(
            scale * 960,
            "<saml:SubjectConfirmation Method='urn:oasis:names:tc:SAML:2.0:cm:bearer'>"
              + "<saml:SubjectConfirmationData/></saml:SubjectConfirmation>") + "</saml:Subject>")
    },
    HostileFamily("assertions", .token) { scale in
      response("</saml:Assertion>\(times(scale * 1_200, "<saml:Assertion/>"))<saml:Assertion>")
    },
    HostileFamily("status codes in status codes", .token) { scale in
      let code = "<samlp:StatusCode Value='u'>"
      return response("").replacing(
        "<samlp:StatusCode Value='urn:oasis:names:tc:SAML:2.0:status:Success'/>",
        with: times(scale * 11, code) + times(scale * 11, "</samlp:StatusCode>"))
    },
    HostileFamily("a long issuer", .token) { scale in
      response("").replacing("https://idp.example/idp", with: times(scale * 60_000, "i"))
    },
    HostileFamily("base64 with a line a character", .token) { scale in
      times(scale * 32_000, "PA\r\n")
    },
    HostileFamily("base64 around white space", .token) { scale in
      "PHg+\(times(scale * 130_000, " "))PC94Pg=="
    },
    HostileFamily("percent-encoded base64", .token) { "PHg%2B\(times($0 * 40_000, "%2B"))" },
    HostileFamily("a DEFLATE bomb", .token) { Bomb.base64(copies: $0 * 32_000) },
    HostileFamily("an envelope in an envelope", .token) { scale in
      let name = "s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'"
      return times(scale * 12, "<\(name)><s:Body>") + times(scale * 12, "</s:Body></s:Envelope>")
    },
    HostileFamily("a collection of token responses", .token) { scale in
      let namespace = "http://docs.oasis-open.org/ws-sx/ws-trust/200512"
      return "<t:RequestSecurityTokenResponseCollection xmlns:t='\(namespace)'>"
        + times(scale * 2_000, "<t:RequestSecurityTokenResponse/>")
        + "</t:RequestSecurityTokenResponseCollection>"
    },
    HostileFamily("a binary token that is long", .token) { scale in
      let namespace = "http://docs.oasis-open.org/ws-sx/ws-trust/200512"
      let security =
        "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
      return "<t:RequestSecurityTokenResponse xmlns:t='\(namespace)'><t:RequestedSecurityToken>"
        + "<w:BinarySecurityToken xmlns:w='\(security)' ValueType='"
        + "http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0'>"
        + times(scale * 32_000, "YT1i") + "</w:BinarySecurityToken></t:RequestedSecurityToken>"
        + "</t:RequestSecurityTokenResponse>"
    },
  ]

  /// A response whose assertion a trusted issuer signed, with any further content.
  static func response(_ content: String) -> String {
    let open = """
      <saml:Assertion xmlns:saml='urn:oasis:names:tc:SAML:2.0:assertion' ID='_a' Version='2.0' \
      IssueInstant='2030-01-01T12:00:00Z'><saml:Issuer>https://idp.example/idp</saml:Issuer>
      """
    let rest = "\(content)</saml:Assertion>"
    return """
      <samlp:Response xmlns:samlp='urn:oasis:names:tc:SAML:2.0:protocol' \
      xmlns:saml='urn:oasis:names:tc:SAML:2.0:assertion' ID='_r' Version='2.0' \
      IssueInstant='2030-01-01T12:00:00Z'><saml:Issuer>https://idp.example/idp</saml:Issuer>\
      <samlp:Status><samlp:StatusCode Value='urn:oasis:names:tc:SAML:2.0:status:Success'/>\
      </samlp:Status>\(open)\(IssuerSignature.over(open + rest))\(rest)</samlp:Response>
      """
  }

  private static func statement(_ attributes: String) -> String {
    "<saml:AttributeStatement>\(attributes)</saml:AttributeStatement>"
  }
}
