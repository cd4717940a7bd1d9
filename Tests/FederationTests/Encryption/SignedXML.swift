import Federation
import Foundation
import SecurityKeys
import TestSupport
import TokenBasics
import XMLTree

/// XML signed by the trusted issuer of the vectors, and encrypted to their receiver, as text: so that a prefix can be
/// declared anywhere.
enum SignedXML {
  /// `text` with a signature over the element of that identifier in place of `SIGNATURE`.
  static func signed(
    _ text: String, id: String, named name: String = "ID",
    method: CanonicalizationMethod = CanonicalizationMethod(.exclusive)
  ) throws -> String {
    let document = try Document(parsing: Array(text.replacing("SIGNATURE", with: "").utf8))
    let element = document.root.descendants { $0.attribute(ExpandedName(name)) == id }[0]
    let digest = DigestAlgorithm.sha256.digest(of: Canonicalizer.octets(element.subtree, method))
    let list = method.inclusivePrefixes.joined(separator: " ")
    let inclusive =
      list.isEmpty
      ? ""
      : "<ec:InclusiveNamespaces xmlns:ec=\"http://www.w3.org/2001/10/xml-exc-c14n#\" "
        + "PrefixList=\"\(list)\"/>"
    let ds = "xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\""
    let info = """
      <ds:SignedInfo><ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>\
      <ds:SignatureMethod Algorithm="\(SignatureAlgorithm.rsaSHA256.uri)"/><ds:Reference URI="#\(id)"><ds:Transforms>\
      <ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>\
      <ds:Transform Algorithm="\(method.uri)">\(inclusive)</ds:Transform></ds:Transforms>\
      <ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>\
      <ds:DigestValue>\(Base64.encode(digest ?? []))</ds:DigestValue></ds:Reference></ds:SignedInfo>
      """
    let alone = try Document(parsing: Array("<ds:S \(ds)>\(info)</ds:S>".utf8))
    let octets = Canonicalizer.octets(
      try alone.root.children()[0].subtree, CanonicalizationMethod(.exclusive))
    let value = try Minted.key("idp-rsa", .rsaSHA256).sign(octets)
    let text64 = Base64.encode(value)
    let signature =
      "<ds:Signature \(ds)>\(info)<ds:SignatureValue>\(text64)</ds:SignatureValue></ds:Signature>"
    return text.replacing("SIGNATURE", with: signature)
  }

  /// The `EncryptedData` of that text.
  static func encrypted(_ plaintext: String, _ cipher: ContentCipher = .aes256GCM) throws -> String
  {
    let certificate = try VerificationKey(pemOrDER: TestVector.bytes("keys/rp-rsa.crt"))
    let key = cipher.newKey()
    let wrapped = certificate.publicKey?.encrypt(
      key, .oaep(digest: .sha1, mask: .sha1, label: []))
    let value = cipher.encrypt(Array(plaintext.utf8), key: key)
    return """
      <e:EncryptedData xmlns:e="http://www.w3.org/2001/04/xmlenc#" Type="http://www.w3.org/2001/04/xmlenc#Element">\
      <e:EncryptionMethod Algorithm="\(cipher.uri)"/><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">\
      <e:EncryptedKey><e:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"/><e:CipherData>\
      <e:CipherValue>\(Base64.encode(wrapped ?? []))</e:CipherValue></e:CipherData></e:EncryptedKey></ds:KeyInfo>\
      <e:CipherData><e:CipherValue>\(Base64.encode(value ?? []))</e:CipherValue></e:CipherData></e:EncryptedData>
      """
  }

  static let saml = "xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\""
  static let samlp = "xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\""

  /// An assertion with that attribute statement and name, `SIGNATURE` where its schema has one.
  static func assertion(
    _ declarations: String = saml, name: String = "<saml:NameID>alice</saml:NameID>",
    attributes: String = "", signature: String = "SIGNATURE"
  ) -> String {
    """
    <saml:Assertion \(declarations) ID="_a" Version="2.0" IssueInstant="2030-01-01T12:00:00Z"><saml:Issuer>\
    https://idp.example/idp</saml:Issuer>\(signature)<saml:Subject>\(name)<saml:SubjectConfirmation \
    Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"/></saml:Subject><saml:Conditions \
    NotOnOrAfter="2030-01-01T12:05:00Z"><saml:AudienceRestriction>\
    <saml:Audience>https://rp.example/saml</saml:Audience></saml:AudienceRestriction></saml:Conditions>\
    <saml:AttributeStatement><saml:Attribute Name="plain"><saml:AttributeValue>v</saml:AttributeValue>\
    </saml:Attribute>\(attributes)</saml:AttributeStatement></saml:Assertion>
    """
  }

  /// A response around the content, `SIGNATURE` where its schema has one.
  static func response(_ declarations: String, _ content: String, signature: String) -> String {
    """
    <samlp:Response \(declarations) ID="_r" Version="2.0" IssueInstant="2030-01-01T12:00:00Z"><saml:Issuer>\
    https://idp.example/idp</saml:Issuer>\(signature)<samlp:Status><samlp:StatusCode \
    Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>\(content)</samlp:Response>
    """
  }

  static func encryptedAssertion(_ plaintext: String, _ cipher: ContentCipher = .aes256GCM) throws
    -> String
  {
    "<saml:EncryptedAssertion>\(try encrypted(plaintext, cipher))</saml:EncryptedAssertion>"
  }

  /// The claims of type `st`, or the code of the refusal.
  static func outcome(_ text: String) throws -> Outcome {
    var trust = try Minted(.v2, .assertion).trust()
    trust.decryptionKeys = [
      DecryptionKey(try PrivateKey(pemOrDER: TestVector.bytes("keys/rp-rsa.key")))
    ]
    do throws(TokenError) {
      let verified = try TokenValidator(trust).validate(
        AnyToken(reading: Array(text.utf8)), at: Minted.draft.issuedAt)
      return .accepted(verified.claims["st"], warnings: verified.warnings)
    } catch {
      return .refused(error.code)
    }
  }

  enum Outcome: Equatable {
    case accepted([String], warnings: [String])
    case refused(TokenError.Code)

    var claims: [String]? { if case .accepted(let claims, _) = self { claims } else { nil } }
    var code: TokenError.Code? { if case .refused(let code) = self { code } else { nil } }
    var warnings: [String] { if case .accepted(_, let warnings) = self { warnings } else { [] } }
  }
}
