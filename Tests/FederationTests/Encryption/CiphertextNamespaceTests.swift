import Federation
import TestSupport
import Testing
import XMLTree

/// CTX-1: what no digest covers is no context of plaintext.
@Suite("Namespaces around ciphertext")
struct CiphertextNamespaceTests {
  private static let xsi = "xmlns:y=\"http://www.w3.org/2001/XMLSchema-instance\""
  private static let values =
    "<saml:AttributeValue y:nil=\"true\">deny</saml:AttributeValue>"
    + "<saml:AttributeValue>allow</saml:AttributeValue>"

  /// A signed assertion that holds an encrypted attribute, of a prefix that is declared at its root alone.
  private func assertion(
    _ declarations: String, _ plaintext: String,
    _ method: CanonicalizationMethod = CanonicalizationMethod(.exclusive)
  ) throws -> String {
    return try SignedXML.signed(
      SignedXML.assertion(SignedXML.saml + " " + declarations, attributes: holder(plaintext)),
      id: "_a", method: method)
  }

  private func holder(
    _ plaintext: String, _ cipher: ContentCipher = .aes256GCM
  ) throws -> String {
    let data = try SignedXML.encrypted(plaintext, cipher)
    return "<saml:EncryptedAttribute>\(data)</saml:EncryptedAttribute>"
  }

  private func attribute(_ declarations: String, _ values: String) -> String {
    "<saml:Attribute \(declarations) Name=\"st\">\(values)</saml:Attribute>"
  }

  @Test("CTX-1 An encrypted attribute whose prefix only the assertion declares is refused")
  func attributeOfUnsignedPrefix() throws {
    let genuine = try assertion(Self.xsi, attribute(SignedXML.saml, Self.values))
    #expect(try SignedXML.outcome(genuine).code == .encryptionNamespace)
    let changed = genuine.replacing(Self.xsi, with: "xmlns:y=\"urn:y\"")
    #expect(try SignedXML.outcome(changed).code == .encryptionNamespace)
  }

  @Test("One that declares its prefix itself, or whose prefix the signature covers, is read")
  func attributeOfSignedPrefix() throws {
    let own = try assertion("", attribute(SignedXML.saml + " " + Self.xsi, Self.values))
    #expect(try SignedXML.outcome(own).claims == ["allow"])
    // The prefix `saml` is in the digest, as names around the ciphertext use it.
    let around = try assertion("", attribute(Self.xsi, Self.values))
    #expect(try SignedXML.outcome(around).claims == ["allow"])
    let listed = try assertion(
      Self.xsi, attribute("", Self.values),
      CanonicalizationMethod(.exclusive, inclusivePrefixes: ["y"]))
    #expect(try SignedXML.outcome(listed).claims == ["allow"])
    #expect(
      try SignedXML.outcome(listed.replacing(Self.xsi, with: "xmlns:y=\"urn:y\"")).code
        == .digestMismatch)
    let inclusive = try assertion(
      Self.xsi, attribute("", Self.values), CanonicalizationMethod(.inclusive10))
    #expect(try SignedXML.outcome(inclusive).claims == ["allow"])
  }

  @Test("The default namespace around an encrypted attribute is no context either")
  func defaultNamespace() throws {
    let plaintext = attribute(
      SignedXML.saml, "<saml:AttributeValue><role>r</role></saml:AttributeValue>")
    for declaration in ["", "xmlns=\"urn:a\"", "xmlns=\"urn:b\""] {
      let token = try assertion(declaration, plaintext)
      #expect(try SignedXML.outcome(token).code == .encryptionNamespace)
    }
    let own = plaintext.replacing("<role>", with: "<role xmlns=\"\">")
    #expect(try SignedXML.outcome(assertion("xmlns=\"urn:a\"", own)).claims == ["<role>r</role>"])
    let covered = try assertion(
      "xmlns=\"urn:a\"", plaintext,
      CanonicalizationMethod(.exclusive, inclusivePrefixes: ["#default"]))
    #expect(try SignedXML.outcome(covered).claims == ["<role xmlns=\"urn:a\">r</role>"])
  }

  @Test("A qualified name in a value is covered like a name")
  func qualifiedValue() throws {
    let declared = "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
    let xs = "xmlns:xs=\"http://www.w3.org/2001/XMLSchema\""
    let value = "<saml:AttributeValue \(declared) xsi:type=\"xs:string\">v</saml:AttributeValue>"
    #expect(
      try SignedXML.outcome(assertion(xs, attribute(SignedXML.saml, value))).code
        == .encryptionNamespace)
    #expect(
      try SignedXML.outcome(assertion("", attribute(SignedXML.saml, value))).code
        == .encryptionNamespace)
    #expect(
      try SignedXML.outcome(assertion("", attribute("\(SignedXML.saml) \(xs)", value))).claims
        == ["v"])
    let name = value.replacing("xs:string", with: "xs:QName").replacing(">v<", with: ">x:v<")
    #expect(
      try SignedXML.outcome(
        assertion("xmlns:x=\"urn:x\"", attribute("\(SignedXML.saml) \(xs)", name))
      ).code == .encryptionNamespace)
  }

  @Test("An encrypted name of a prefix that is not covered is refused, of a covered one read")
  func name() throws {
    func token(_ declarations: String, _ plaintext: String) throws -> String {
      let holder = try "<saml:EncryptedID>\(SignedXML.encrypted(plaintext))</saml:EncryptedID>"
      return try SignedXML.signed(
        SignedXML.assertion(SignedXML.saml + " " + declarations, name: holder), id: "_a")
    }
    let x = SignedXML.saml.replacing("xmlns:saml", with: "xmlns:x")
    #expect(
      try SignedXML.outcome(token(x, "<x:NameID>alice</x:NameID>")).code == .encryptionNamespace)
    let covered = try SignedXML.outcome(token("", "<saml:NameID>alice</saml:NameID>"))
    #expect(covered.claims == [])
    #expect(covered.warnings.contains { $0.contains("does not prove that it wrote") })
  }

  /// A response around an encrypted assertion, one of them signed or both.
  private func response(
    _ declarations: String, _ plaintext: String, isSigned: Bool,
    _ cipher: ContentCipher = .aes256GCM
  ) throws -> String {
    let text = try SignedXML.response(
      "\(SignedXML.samlp) \(SignedXML.saml) \(declarations)",
      SignedXML.encryptedAssertion(plaintext, cipher), signature: isSigned ? "SIGNATURE" : "")
    return isSigned ? try SignedXML.signed(text, id: "_r") : text
  }

  private var structured: String {
    attribute("", "<saml:AttributeValue><x:p>v</x:p></saml:AttributeValue>")
  }

  @Test("An assertion that only the response signs takes no prefix from what that does not cover")
  func unsignedAssertion() throws {
    let plaintext = SignedXML.assertion(SignedXML.saml, attributes: structured, signature: "")
    for uri in ["urn:good", "urn:evil"] {
      let token = try response("xmlns:x=\"\(uri)\"", plaintext, isSigned: true)
      #expect(try SignedXML.outcome(token).code == .encryptionNamespace)
    }
    let own = SignedXML.assertion(
      SignedXML.saml + " xmlns:x=\"urn:good\"", attributes: structured, signature: "")
    #expect(
      try SignedXML.outcome(response("", own, isSigned: true)).claims
        == ["<x:p xmlns:x=\"urn:good\">v</x:p>"])
    // `saml` is covered: the names of the response use it.
    let around = SignedXML.assertion("xmlns:x=\"urn:good\"", attributes: structured, signature: "")
    #expect(
      try SignedXML.outcome(response("", around, isSigned: true)).claims
        == ["<x:p xmlns:x=\"urn:good\">v</x:p>"])
  }

  @Test("OK-37 An assertion whose own signature digests the prefixes of the response is read")
  func signedAssertion() throws {
    // Signed inside the response, as an issuer does it, then cut out and encrypted.
    let declarations = "\(SignedXML.samlp) \(SignedXML.saml) xmlns:x=\"urn:good\""
    let whole = try SignedXML.signed(
      SignedXML.response(
        declarations, SignedXML.assertion("", attributes: structured), signature: ""), id: "_a")
    let start = try #require(whole.firstRange(of: "<saml:Assertion")).lowerBound
    let end = try #require(whole.firstRange(of: "</saml:Assertion>")).upperBound
    let plaintext = String(whole[start..<end])
    for cipher in [ContentCipher.aes256GCM, .aes256CBC] {
      let token = try response("xmlns:x=\"urn:good\"", plaintext, isSigned: false, cipher)
      #expect(try SignedXML.outcome(token).claims == ["<x:p xmlns:x=\"urn:good\">v</x:p>"])
      let changed = token.replacing("urn:good", with: "urn:evil")
      let code: TokenError.Code = cipher.isAuthenticated ? .digestMismatch : .decryptionFailed
      #expect(try SignedXML.outcome(changed).code == code)
    }
  }

  @Test("Inside of an encrypted assertion, its declarations count as far as they are signed")
  func nested() throws {
    let inner = try holder(structured)
    let declarations = SignedXML.saml + " xmlns:x=\"urn:good\""
    // All octets of the assertion are covered, as its ciphertext is.
    let unsigned = SignedXML.assertion(declarations, attributes: inner, signature: "")
    #expect(
      try SignedXML.outcome(response("", unsigned, isSigned: true)).claims
        == ["<x:p xmlns:x=\"urn:good\">v</x:p>"])
    // Anybody could have encrypted a signed assertion anew, with another declaration.
    let signed = try SignedXML.signed(
      SignedXML.assertion(declarations, attributes: inner), id: "_a")
    #expect(
      try SignedXML.outcome(response("", signed, isSigned: false)).code == .encryptionNamespace)
    #expect(
      try SignedXML.outcome(response("", signed, isSigned: true)).claims
        == ["<x:p xmlns:x=\"urn:good\">v</x:p>"])
  }

  @Test("With a cipher that authenticates nothing, the refusal is the one of all failures")
  func concealed() throws {
    let attribute = try holder(attribute(SignedXML.saml, Self.values), .aes256CBC)
    let token = try SignedXML.signed(
      SignedXML.assertion(SignedXML.saml + " " + Self.xsi, attributes: attribute), id: "_a")
    #expect(try SignedXML.outcome(token).code == .decryptionFailed)
  }
}
