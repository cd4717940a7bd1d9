import SecurityKeys
import Testing
import TokenBasics
@testable import XMLSecurity
import XMLTree

/// A signature with one part replaced, and what reading it gives.
struct SignatureShape: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var canonicalization = "http://www.w3.org/2001/10/xml-exc-c14n#"
  var method = "<ds:SignatureMethod Algorithm=\"\(SignatureShape.rsa)\"/>"
  var references = SignatureShape.reference()
  var rest = "<ds:SignatureValue>AAAA</ds:SignatureValue>"
  /// Nil for a signature that can be read.
  var code: TokenError.Code?

  static let rsa = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
  static let enveloped = "http://www.w3.org/2000/09/xmldsig#enveloped-signature"
  static let exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"

  static func reference(
    _ attributes: String = "URI=\"#_a\"", transforms: [String] = [enveloped, exclusive],
    digest: String = "http://www.w3.org/2001/04/xmlenc#sha256",
    value: String = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
  ) -> String {
    let steps = transforms.map { "<ds:Transform Algorithm=\"\($0)\"/>" }.joined()
    let list = steps.isEmpty ? "" : "<ds:Transforms>\(steps)</ds:Transforms>"
    return "<ds:Reference \(attributes)>\(list)<ds:DigestMethod Algorithm=\"\(digest)\"/>"
      + "<ds:DigestValue>\(value)</ds:DigestValue></ds:Reference>"
  }

  var text: String {
    "<ds:Signature xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\"><ds:SignedInfo>"
      + "<ds:CanonicalizationMethod Algorithm=\"\(canonicalization)\"/>\(method)\(references)"
      + "</ds:SignedInfo>\(rest)</ds:Signature>"
  }

  func read(allowsObjects: Bool = false) throws(TokenError) -> Signature {
    let document = try Document(parsing: Array(text.utf8))
    return try Signature(reading: document.root, allowsObjects: allowsObjects, limits: Limits())
  }
}

@Suite("The shape of an XML Signature")
struct SignatureShapeTests {
  static let shapes: [SignatureShape] = [
    SignatureShape(testDescription: "as SAML has it"),
    SignatureShape(
      testDescription: "an unknown canonicalization", canonicalization: "urn:x",
      code: .unknownCanonicalization),
    SignatureShape(
      testDescription: "an unknown algorithm",
      method: "<ds:SignatureMethod Algorithm=\"urn:x\"/>", code: .unknownSignatureAlgorithm),
    SignatureShape(
      testDescription: "a truncated MAC",
      method:
        "<ds:SignatureMethod Algorithm=\"http://www.w3.org/2001/04/xmldsig-more#hmac-sha256\">"
        + "<ds:HMACOutputLength>8</ds:HMACOutputLength></ds:SignatureMethod>",
      code: .hmacOutputLength),
    SignatureShape(
      testDescription: "no reference", references: "", code: .referenceCount),
    SignatureShape(
      testDescription: "64 references",
      references: String(repeating: SignatureShape.reference(), count: 64)),
    SignatureShape(
      testDescription: "65 references",
      references: String(repeating: SignatureShape.reference(), count: 65),
      code: .tooManyReferences),
    SignatureShape(
      testDescription: "a reference to a manifest",
      references: SignatureShape.reference(
        "URI=\"#_a\" Type=\"http://www.w3.org/2000/09/xmldsig#Manifest\""), code: .referenceType),
    SignatureShape(
      testDescription: "a transform with an engine",
      references: SignatureShape.reference(
        transforms: ["http://www.w3.org/TR/1999/REC-xslt-19991116"]), code: .refusedTransform),
    SignatureShape(
      testDescription: "a digest by MD5",
      references: SignatureShape.reference(
        digest: "http://www.w3.org/2001/04/xmldsig-more#md5"), code: .unknownDigestAlgorithm),
    SignatureShape(
      testDescription: "a digest of another length",
      references: SignatureShape.reference(value: "AAAA"), code: .malformedDigestValue),
    SignatureShape(
      testDescription: "a value that is not base64",
      rest: "<ds:SignatureValue>A-_A</ds:SignatureValue>", code: .malformedSignatureValue),
    SignatureShape(
      testDescription: "two values",
      rest:
        "<ds:SignatureValue>AAAA</ds:SignatureValue><ds:SignatureValue>AAAA</ds:SignatureValue>",
      code: .signatureStructure),
    SignatureShape(
      testDescription: "an object",
      rest: "<ds:SignatureValue>AAAA</ds:SignatureValue><ds:Object/>", code: .signatureStructure),
  ]

  @Test("A signature is read, or refused with the code of its fault", arguments: shapes)
  func shape(shape: SignatureShape) throws {
    guard let code = shape.code else {
      #expect(try shape.read().algorithm == .rsaSHA256)
      return
    }
    #expect(throws: TokenError(code)) { try shape.read() }
  }

  @Test("An object is read where enveloping signatures are allowed")
  func object() throws {
    let shape = SignatureShape(
      testDescription: "", rest: "<ds:SignatureValue>AAAA</ds:SignatureValue><ds:Object/>")
    #expect(try shape.read(allowsObjects: true).references.count == 1)
  }

  /// Transforms, and whether a reference may have them.
  static let transforms: [([String], Bool)] = [
    ([], true), ([SignatureShape.enveloped], true), ([SignatureShape.exclusive], true),
    ([SignatureShape.enveloped, SignatureShape.exclusive], true),
    ([SignatureShape.exclusive, SignatureShape.enveloped], false),
    ([SignatureShape.enveloped, SignatureShape.enveloped], false),
    ([SignatureShape.enveloped, SignatureShape.exclusive, SignatureShape.exclusive], false),
  ]

  @Test(
    "Enveloped-signature comes first and once, then one canonicalization", arguments: transforms)
  func steps(transforms: [String], isAllowed: Bool) throws {
    let shape = SignatureShape(
      testDescription: "", references: SignatureShape.reference(transforms: transforms))
    let reference = try shape.read().reference
    if isAllowed {
      let isEnveloped = transforms.first == SignatureShape.enveloped
      #expect(try reference.canonicalization().isEnveloped == isEnveloped)
    } else {
      #expect(throws: TokenError(.refusedTransform)) { try reference.canonicalization() }
    }
  }

  @Test("A reference names an identifier exactly")
  func identifiers() throws {
    for (uri, isMatch) in [
      ("#_a", true), ("#_A", false), ("_a", false), ("#_aa", false), ("#", false),
    ] {
      let shape = SignatureShape(
        testDescription: "", references: SignatureShape.reference("URI=\"\(uri)\""))
      #expect(try shape.read().reference.isTo(Array("_a".utf8)[...]) == isMatch, "\(uri)")
    }
    let none = SignatureShape(testDescription: "", references: SignatureShape.reference(""))
    #expect(try !none.read().reference.isTo(Array("_a".utf8)[...]))
    #expect(try !none.read().reference.isToDocument)
  }
}
