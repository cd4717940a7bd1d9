import Federation
import Octets
import SecurityKeys
import TestSupport
import Testing
import XMLTree

@Suite("Issuing SAML")
struct MintingTests {
  @Test("What is issued is accepted, and says what was drafted", arguments: Minted.all)
  func accepted(minted: Minted) throws {
    let draft = Minted.draft
    let verified = try minted.verify(try minted.octets(draft))
    #expect(verified.facts.issuer == draft.issuer)
    #expect(verified.facts.subject == draft.subject)
    #expect(verified.facts.audiences == draft.audiences)
    #expect(verified.facts.tokenID == draft.id)
    #expect(verified.facts.notBefore == draft.issuedAt)
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

  /// Whoever compares tokens across releases relies on these; a change is a change of behaviour.
  @Test(
    "The bytes of a release are those of the next",
    arguments: [
      (Minted(.v1, .assertion), "ee854d1bf83f7fa5"),
      (Minted(.v1, .tokenResponse), "7469c75e81421168"),
      (Minted(.v1, .response(.both)), "164c6dca8468a136"),
      (Minted(.v2, .assertion), "9afb51f51fd01887"),
      (Minted(.v2, .tokenResponse), "d9726a3e625bec8b"),
      (Minted(.v2, .response(.both)), "c696648535739268"),
      (Minted(.v2, .response(.both), "idp-rsa", .rsaSHA512), "e4e3218c1ee3b56a"),
    ])
  func pinned(minted: Minted, start: String) throws {
    let digest = try #require(DigestAlgorithm.sha256.digest(of: minted.octets(Minted.draft)))
    #expect(Hex.encode(digest.prefix(8)) == start)
  }

  @Test("What is issued is refused when a byte of a value is changed", arguments: Minted.all)
  func tampered(minted: Minted) throws {
    let text = String(decoding: try minted.octets(Minted.draft), as: UTF8.self)
    let changed = text.replacing(">editor<", with: ">admins<")
    #expect(changed != text)
    #expect(throws: TokenError(.digestMismatch)) { try minted.verify(Array(changed.utf8)) }
  }

  @Test("Signatures stand where the schemas want them", arguments: Minted.all)
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

  @Test("ISS-1: markup in what users choose stays text", arguments: Minted.forms)
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

  @Test("ISS-1: a control character is an error wherever it stands", arguments: Minted.forms)
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

  @Test("ISS-6, CRY-13: identifiers are XML names of 160 bits, and none comes twice")
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

  @Test("SAML 1.1 cuts a type at its last slash, and refuses one that has no two parts")
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
