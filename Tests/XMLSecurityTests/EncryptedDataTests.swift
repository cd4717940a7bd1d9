import SecurityKeys
import Testing
import TokenBasics
import XMLSecurity
import XMLTree

/// Encrypted data with one part replaced, and what reading it gives.
struct EncryptedDataShape: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var attributes = "Type=\"http://www.w3.org/2001/04/xmlenc#Element\""
  var method = "<x:EncryptionMethod Algorithm=\"http://www.w3.org/2009/xmlenc11#aes256-gcm\"/>"
  var info = ""
  var cipherData = "<x:CipherData><x:CipherValue>AAAA</x:CipherValue></x:CipherData>"
  /// Nil for data that can be read.
  var code: TokenError.Code?

  func read() throws(TokenError) -> EncryptedData {
    let text = """
      <x:EncryptedData xmlns:x="http://www.w3.org/2001/04/xmlenc#" \
      xmlns:ds="http://www.w3.org/2000/09/xmldsig#" \(attributes)>\(method)\(info)\(cipherData)\
      </x:EncryptedData>
      """
    let document = try Document(parsing: Array(text.utf8))
    return try EncryptedData(reading: document.root, Limits())
  }

  static func key(count: Int) -> String {
    let key =
      "<x:EncryptedKey><x:EncryptionMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#kw-aes256\"/>"
      + "<x:CipherData><x:CipherValue>AAAA</x:CipherValue></x:CipherData></x:EncryptedKey>"
    return "<ds:KeyInfo>\(String(repeating: key, count: count))</ds:KeyInfo>"
  }
}

@Suite("The shape of encrypted data")
struct EncryptedDataTests {
  static let shapes: [EncryptedDataShape] = [
    EncryptedDataShape(testDescription: "as SAML has it"),
    EncryptedDataShape(testDescription: "without a type", attributes: ""),
    EncryptedDataShape(
      testDescription: "the content of an element",
      attributes: "Type=\"http://www.w3.org/2001/04/xmlenc#Content\"", code: .encryptionStructure),
    EncryptedDataShape(
      testDescription: "no algorithm", method: "", code: .encryptionAlgorithm),
    EncryptedDataShape(
      testDescription: "an unknown algorithm",
      method: "<x:EncryptionMethod Algorithm=\"urn:x\"/>", code: .encryptionAlgorithm),
    EncryptedDataShape(
      testDescription: "a key size that the algorithm does not have",
      method: "<x:EncryptionMethod Algorithm=\"http://www.w3.org/2009/xmlenc11#aes256-gcm\">"
        + "<x:KeySize>128</x:KeySize></x:EncryptionMethod>", code: .encryptionAlgorithm),
    EncryptedDataShape(
      testDescription: "a ciphertext elsewhere",
      cipherData: "<x:CipherData><x:CipherReference URI=\"http://x.example/\"/></x:CipherData>",
      code: .encryptionReference),
    EncryptedDataShape(
      testDescription: "no ciphertext", cipherData: "", code: .encryptionStructure),
    EncryptedDataShape(
      testDescription: "eight encrypted keys", info: EncryptedDataShape.key(count: 8)),
    EncryptedDataShape(
      testDescription: "nine encrypted keys", info: EncryptedDataShape.key(count: 9),
      code: .tooManyEncryptedKeys),
    EncryptedDataShape(
      testDescription: "a key elsewhere",
      info: "<ds:KeyInfo><ds:RetrievalMethod URI=\"http://x.example/\"/></ds:KeyInfo>",
      code: .encryptionReference),
  ]

  @Test("Encrypted data is read, or refused with the code of its fault", arguments: shapes)
  func shape(shape: EncryptedDataShape) throws {
    guard let code = shape.code else {
      #expect(try shape.read().cipher.isAuthenticated)
      return
    }
    #expect(throws: TokenError(code)) { try shape.read() }
  }

  @Test("Plaintext is a document of its own, with the prefixes of the message and nothing else")
  func plaintext() throws {
    let message = try Document(
      parsing: Array("<m xmlns:p='urn:p' ID='_m'><holder/></m>".utf8))
    let holder = try #require(try message.root.children().first)
    var count = 0
    func read(_ text: String) throws(TokenError) -> Element {
      try PlaintextDocument.element(
        Array(text.utf8), insideOf: holder, limits: Limits(), parsedCount: &count)
    }
    #expect(try read("<a/>").parent == nil)
    #expect(try read("<p:a/>").namespaceURI == "urn:p")
    #expect(throws: TokenError(.malformedXML)) { try read("<p:a/><p:b/>") }
    #expect(throws: TokenError(.malformedNamespace)) { try read("<q:a/>") }
  }
}
