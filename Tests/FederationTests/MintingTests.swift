import Federation
import Octets
import SecurityKeys
import TestSupport
import Testing
import XMLTree

@Suite("Issuing SAML")
struct MintingTests {
  @Test("An issued token is accepted, with the draft's content", arguments: Minted.all)
  func accepted(minted: Minted) throws {
    let draft = Minted.draft
    let verified = try minted.verify(try minted.octets(draft))
    #expect(verified.facts.issuer == draft.issuer)
    #expect(verified.facts.subject == draft.subject)
    #expect(verified.facts.audiences == draft.audiences)
    #expect(verified.facts.tokenID == draft.id)
    #expect(verified.facts.notBefore == draft.issuedAt.advanced(bySeconds: -60))
    #expect(verified.facts.expires == draft.expires)
    for (type, values) in draft.claims.grouped { #expect(verified.claims[type] == values) }
    #expect(verified.signedBy.algorithm == minted.algorithm.name)
    #expect(verified.warnings.isEmpty)
  }

  @Test("The same inputs give the same bytes with RSA PKCS #1 v1.5", arguments: Minted.all)
  func deterministic(minted: Minted) throws {
    guard minted.algorithm.family == .rsaPKCS1 else { return }
    #expect(try minted.octets(Minted.draft) == minted.octets(Minted.draft))
  }

  /// Comparisons of tokens across releases rely on these; a change is a change of behaviour.
  @Test(
    "The bytes of a release are those of the next",
    arguments: [
      (Minted(.v1, .assertion), "2b85e9672073d91c"),
      (Minted(.v1, .tokenResponse), "e0690c2963f6d4d1"),
      (Minted(.v1, .response(.both)), "c786efaf45c712c5"),
      (Minted(.v2, .assertion), "3471971ea3cbbad4"),
      (Minted(.v2, .tokenResponse), "eee1c82976d30857"),
      (Minted(.v2, .response(.both)), "72ae0337efe7714f"),
      (Minted(.v2, .response(.both), "idp-rsa", .rsaSHA512), "21829cd9b804279f"),
    ])
  func pinned(minted: Minted, start: String) throws {
    let digest = try #require(DigestAlgorithm.sha256.digest(of: minted.octets(Minted.draft)))
    #expect(Hex.encode(digest.prefix(8)) == start)
  }

  @Test("An issued token is refused when a byte of a value is changed", arguments: Minted.all)
  func tampered(minted: Minted) throws {
    let text = String(decoding: try minted.octets(Minted.draft), as: UTF8.self)
    let changed = text.replacing(">editor<", with: ">admins<")
    #expect(changed != text)
    #expect(throws: TokenError(.digestMismatch)) { try minted.verify(Array(changed.utf8)) }
  }

  @Test("Signatures are where the schemas require them", arguments: Minted.all)
  func placement(minted: Minted) throws {
    let root = try Document(parsing: minted.octets(Minted.draft)).root
    func names(_ local: String) throws -> [String]? {
      try root.descendants { $0.localName == local }.first?.children().map(\.localName)
    }
    let assertion = try #require(try names("Assertion"))
    let isAssertionSigned = minted.form != .response(.response)
    let index = minted.version == .v2 ? 1 : assertion.count - 1
    #expect((assertion[index] == "Signature") == isAssertionSigned)
    #expect(assertion.filter { $0 == "Signature" }.count == (isAssertionSigned ? 1 : 0))
    if case .response(let parts) = minted.form {
      let response = try #require(try names("Response"))
      let status =
        minted.version == .v2 ? ["Issuer", "Signature", "Status"] : ["Signature", "Status"]
      let wanted = parts == .assertion ? status.filter { $0 != "Signature" } : status
      #expect(response == wanted + ["Assertion"])
    }
  }

  @Test("ISS-1: markup in users' input stays text", arguments: Minted.forms)
  func injection(minted: Minted) throws {
    var draft = Minted.draft
    let evil = "\"><saml:Attribute Name=\"role\"><!-- ]]> & \r\n\t -->"
    draft.subject = "a\"<&]]>-->b"
    draft.issuer = "urn:i<\"&'>"
    draft.audiences = ["urn:a<\"&'>", "urn:b"]
    draft.claims = ClaimSet([Claim("urn:t/<\"&'>x", evil), Claim("urn:t/b", "")])
    var delivery = minted.delivery
    if delivery.recipient != nil {
      delivery = SAMLDelivery(
        recipient: "urn:r\"><&'", inResponseTo: "1\"><&'", nameFormat: "urn:n\"<",
        authenticationMethod: "urn:m\"<&")
    }
    let verified = try minted.verify(
      try minted.octets(draft, delivery), issuer: draft.issuer, audience: "urn:a<\"&'>", delivery)
    #expect(
      verified.claims[.authenticationMethod].map { $0 == "urn:m\"<&" }
        == [delivery.authenticationMethod != nil])
    #expect(verified.facts.subject == draft.subject)
    #expect(verified.facts.issuer == draft.issuer)
    #expect(verified.facts.audiences == draft.audiences)
    #expect(verified.claims["urn:t/<\"&'>x"].map { Array($0.utf8) } == [Array(evil.utf8)])
    #expect(verified.claims["urn:t/b"] == [""])
  }

  @Test("ISS-1: a control character is an error in any place", arguments: Minted.forms)
  func control(minted: Minted) throws {
    let changes: [(inout TokenDraft) -> Void] = [
      { $0.issuer += "\n" }, { $0.audiences = ["urn:\u{1}"] }, { $0.subject = "a\u{0}" },
      { $0.claims = ClaimSet([Claim("urn:t/x", "\u{8}")]) },
      { $0.claims = ClaimSet([Claim("urn:t/x", "\u{FFFE}")]) },
      { $0.claims = ClaimSet([Claim("urn:t/x\u{85}", "")]) },
    ]
    for change in changes {
      var draft = Minted.draft
      change(&draft)
      #expect(throws: TokenError(.mintCharacter)) { try minted.octets(draft) }
    }
    let deliveries = [
      SAMLDelivery(recipient: "a\n"), SAMLDelivery(inResponseTo: "a\n"),
      SAMLDelivery(nameFormat: "\t"), SAMLDelivery(authenticationMethod: "\u{0}"),
    ]
    for delivery in deliveries {
      #expect(throws: TokenError(.mintCharacter)) { try minted.octets(Minted.draft, delivery) }
    }
  }

  @Test("ISS-5: an assertion in a claim is signed as text, never as an assertion")
  func oracle() throws {
    let minted = Minted(.v2, .assertion)
    let received = String(
      decoding: TestVector.bytes("saml20/response-assertion-signed.xml"), as: UTF8.self)
    var draft = Minted.draft
    draft.claims = ClaimSet([Claim("urn:t/x", received)])
    let octets = try minted.octets(draft)
    #expect(
      try Document(parsing: octets).root.descendants { $0.localName == "Assertion" }.count == 1)
    #expect(try minted.verify(octets).claims["urn:t/x"] == [received])
  }

  @Test("ISS-6, CRY-13: identifiers are XML names of 160 bits, and none occurs twice")
  func identifiers() {
    var seen: Set<String> = []
    for _ in 0..<20_000 {
      let id = TokenDraft.unpredictableID()
      #expect(id.utf8.count == 41 && id.hasPrefix("_"))
      seen.insert(id)
    }
    #expect(seen.count == 20_000)
  }

  @Test(
    "ISS-6: an identifier that is no XML name is an error",
    arguments: ["", "1a", "a b", "é", "a:b"])
  func badIdentifier(id: String) throws {
    var draft = Minted.draft
    draft.id = id
    for minted in Minted.forms {
      #expect(throws: TokenError(.mintIdentifier)) { try minted.octets(draft) }
    }
    draft.id = "a-b_c.1"
    for minted in Minted.forms { #expect(throws: Never.self) { try minted.octets(draft) } }
  }

  @Test("SAML 1.1 cuts a type at its last slash, and refuses one that does not have two parts")
  func types() throws {
    let minted = Minted(.v1, .assertion)
    for type in ["role", "/role", "urn:x/", ""] {
      var draft = Minted.draft
      draft.claims = ClaimSet([Claim(ClaimType(type), "x")])
      #expect(throws: TokenError(type.isEmpty ? .mintEmpty : .mintClaimType)) {
        try minted.octets(draft)
      }
    }
    let types = ["a/b", "http://www.facebook.com/claims/AccessToken", "a//b", "a/\u{301}b"]
    var draft = Minted.draft
    draft.claims = ClaimSet(types.map { Claim(ClaimType($0), "x") })
    let claims = try minted.verify(try minted.octets(draft)).claims
    for type in types { #expect(claims[ClaimType(type)] == ["x"]) }
  }

  @Test("SAML 1.1 names a recipient in a response only")
  func delivery() throws {
    let issuer = SAMLIssuer(.v1, key: try Minted.key("idp-rsa", .rsaSHA256))
    for delivery in [SAMLDelivery(recipient: "urn:r"), SAMLDelivery(inResponseTo: "_q")] {
      #expect(throws: TokenError(.mintDelivery)) {
        try issuer.assertion(Minted.draft, delivery: delivery)
      }
      #expect(throws: TokenError(.mintDelivery)) {
        try issuer.tokenResponse(Minted.draft, delivery: delivery)
      }
      #expect(throws: Never.self) { try issuer.response(Minted.draft, delivery: delivery) }
    }
  }

  @Test(
    "A token begins 60 seconds before it is issued, or at the given time", arguments: Minted.forms)
  func beginning(minted: Minted) throws {
    var draft = Minted.draft
    draft.notBefore = draft.issuedAt.advanced(bySeconds: -3)
    let verified = try minted.verify(try minted.octets(draft))
    #expect(verified.facts.notBefore == draft.notBefore)
    draft.notBefore = draft.issuedAt.advanced(bySeconds: 120)
    #expect(throws: TokenError(.notYetValid)) { try minted.verify(try minted.octets(draft)) }
    draft.notBefore = draft.expires.advanced(bySeconds: -1)
    #expect(throws: Never.self) { try minted.octets(draft) }
    draft.notBefore = draft.expires
    #expect(throws: TokenError(.mintLifetime)) { try minted.octets(draft) }
  }

  @Test("SAML 2.0 names a session, by the assertion's identifier or by a given name")
  func session() throws {
    let minted = Minted(.v2, .assertion)
    func index(_ draft: TokenDraft, _ delivery: SAMLDelivery) throws -> String? {
      let root = try Document(parsing: minted.octets(draft, delivery)).root
      return root.descendants { $0.localName == "AuthnStatement" }.first?
        .attribute(ExpandedName("SessionIndex"))
    }
    var draft = Minted.draft
    #expect(try index(draft, Minted.browser) == "_a1-session")
    draft.id = TokenDraft.unpredictableID()
    #expect(try index(draft, Minted.browser) == draft.id + "-session")
    var delivery = Minted.browser
    delivery.sessionIndex = "7\"<&"
    #expect(try index(draft, delivery) == "7\"<&")
    #expect(throws: Never.self) { try minted.verify(try minted.octets(draft, delivery), delivery) }
    delivery.sessionIndex = "7\n"
    #expect(throws: TokenError(.mintCharacter)) { try minted.octets(draft, delivery) }
  }

  @Test("SAML 2.0 declares for each attribute name whether it is a URI, or a given format")
  func nameFormats() throws {
    let minted = Minted(.v2, .assertion)
    let prefix = "urn:oasis:names:tc:SAML:2.0:attrname-format:"
    let types = [
      "http://schemas.xmlsoap.org/claims/Group", "urn:oid:0.9.2342.19200300.100.1.3", "a+b-1.c:d",
      "mail", "Given Name", ":x", "1a:b", "é:x", "a b:c",
    ]
    var draft = Minted.draft
    draft.claims = ClaimSet(types.map { Claim(ClaimType($0), "x") })
    func formats(_ format: AttributeNameFormat) throws -> [String?] {
      var delivery = Minted.browser
      delivery.attributeNameFormat = format
      let octets = try minted.octets(draft, delivery)
      let verified = try minted.verify(octets)
      for type in types { #expect(verified.claims[ClaimType(type)] == ["x"]) }
      return try Document(parsing: octets).root.descendants { $0.localName == "Attribute" }
        .map { $0.attribute(ExpandedName("NameFormat")) }
    }
    #expect(
      try formats(.byName)
        == types.indices.map { prefix + ($0 < 3 ? "uri" : "basic") })
    #expect(try formats(.omitted) == types.map { _ in nil })
    #expect(try formats(.unspecified) == types.map { _ in prefix + "unspecified" })
    #expect(try formats(.named("urn:x")) == types.map { _ in "urn:x" })
    #expect(throws: TokenError(.mintEmpty)) { try formats(.named("")) }
  }

  @Test(
    "A response of SAML 1.1 is signed itself by default; one of SAML 2.0 is not")
  func signedByDefault() throws {
    for (version, form) in [
      (SAMLToken.Version.v1, Minted.Form.response(.both)), (.v2, .response(.assertion)),
    ] {
      let issuer = SAMLIssuer(version, key: try Minted.key("idp-rsa", .rsaSHA256))
      #expect(
        try issuer.response(Minted.draft, delivery: Minted.browser)
          == Minted(version, form).octets(Minted.draft))
    }
  }

  @Test("A subject is optional; given twice it is an error", arguments: Minted.forms)
  func subject(minted: Minted) throws {
    var draft = Minted.draft
    draft.claims = ClaimSet([Claim(.nameIdentifier, "mallory")])
    #expect(throws: TokenError(.mintSubjectTwice)) { try minted.octets(draft) }
    draft.subject = nil
    draft.claims = ClaimSet()
    #expect(try minted.verify(try minted.octets(draft)).facts.subject == nil)
  }
}
