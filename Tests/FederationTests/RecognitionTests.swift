import Federation
import SecurityKeys
import SimpleWebTokens
import TestSupport
import Testing
import TokenBasics

/// What a token is by its octets, and what octets are that are no token.
@Suite("Recognition of wire forms")
struct RecognitionTests {
  private func read(_ text: String) throws(TokenError) -> AnyToken {
    try AnyToken(reading: Array(text.utf8))
  }

  private func refusal(_ octets: [UInt8]) -> TokenError? {
    do throws(TokenError) {
      _ = try AnyToken(reading: octets)
      return nil
    } catch {
      return error
    }
  }

  private func refusal(_ text: String) -> TokenError? { refusal(Array(text.utf8)) }

  private static let saml = TestVector.bytes("saml20/response-assertion-signed.xml")

  // MARK: Tokens

  @Test(
    "A Simple Web Token whose first pair has the escapes of base64 is one",
    arguments: [
      "phone=%2B15551234567", "home=%2Fusers%2Fada", "a%2Fb=1", "x=%3D", "a%2Bb=%2B",
      "padding=%3d%3d",
      "urn%3Aa=%2b", "line=%0A", "a=b%2Fc",
    ])
  func simpleWebTokens(first: String) throws {
    let text = first + "&Issuer=https%3a%2f%2fi.example&Audience=rp&ExpiresOn=1893499500"
    let key = try SymmetricKey(bytes: Array(0..<32))
    let octets = Array(text.utf8)
    let made = key.authenticate(octets.span, with: .sha256)
    let mac = try #require(made)
    let escaped = FormEncoding.encode(Base64.encode(mac))
    // A line end in a name or value is refused, as by the reader of such tokens.
    let isControl = first.contains("%0A")
    let token = text + "&HMACSHA256=" + escaped
    if isControl {
      #expect(throws: TokenError(.swtCharacter)) { try read(token) }
    } else {
      #expect(try read(token).format == .swt)
    }
  }

  @Test("Percent-encoded base64 is one wherever its first escape stands")
  func lateEscapes() throws {
    let base64 = Base64.encode(Self.saml)
    let format = try AnyToken(reading: Self.saml).format
    let escaped = base64.flatMap { character -> String in
      switch character {
      case "+": "%2B"
      case "/": "%2F"
      case "=": "%3D"
      default: String(character)
      }
    }
    #expect(try read(String(escaped)).format == format)
    // White space makes the octets those that need one escape, at the very end.
    for spaces in 0..<3 {
      let padded = Self.saml + [UInt8](repeating: 0x20, count: spaces)
      let text = Base64.encode(padded)
      guard let end = text.firstIndex(of: "=") else { continue }
      let late = text[..<end].filter { $0 != "+" && $0 != "/" }
      guard late.count == text[..<end].count else { continue }
      #expect(try read(late + text[end...].map { _ in "%3D" }.joined()).format == format)
    }
  }

  @Test("Base64 of any length and layout is base64")
  func base64() throws {
    let text = Base64.encode(Self.saml)
    let lines = stride(from: 0, to: text.count, by: 76).map { place -> Substring in
      text.dropFirst(place).prefix(76)
    }
    for end in ["\n", "\r\n", " "] {
      #expect(try read(lines.joined(separator: end) + end).format == .saml20)
    }
  }

  @Test("A JWS is one however it is padded")
  func padded() throws {
    let header = Base64.encode(Array(#"{"alg":"HS256","k":"1"}"#.utf8), .url)
    let payload = Base64.encode(Array(#"{"iss":"i"}"#.utf8), .url)
    for padding in ["", "="] {
      let token = "\(header)\(padding).\(payload)\(padding).AAA="
      #expect(try read(token).format == .jwt)
    }
    #expect(try read("\(header).\(payload).AA==").format == .jwt)
  }

  // MARK: What is around a token

  @Test(
    "A form body or an address is told which field to pass",
    arguments: [
      ("SAMLResponse=PHNhbWw%2BAA%3D%3D&RelayState=x", "SAMLResponse"),
      ("RelayState=x&SAMLResponse=PHNhbWw%2BAA", "SAMLResponse"),
      ("http://sp.example/?RelayState=%7b%22a%22%3a1%7d&SAMLResponse=PHNh", "SAMLResponse"),
      ("wa=wsignin1.0&wctx=rm%3D0&wresult=%3Ct%3ARequestSecurityTokenResponse", "wresult"),
      ("https://app.example/cb#id_token=eyJh.eyJh.AA&state=1", "id_token"),
      ("access_token=eyJhbGciOiJub25lIn0.e30.AA&token_type=Bearer", "access_token"),
      ("wrap_access_token=Issuer%3Di%26HMACSHA256%3DAA", "wrap_access_token"),
      ("POST /acs HTTP/1.1\r\nHost: a\r\n\r\nSAMLResponse=PHNh", "SAMLResponse"),
      ("https://sp.example/acs?SAMLart=AAQAA", "SAMLart"),
      ("grant_type=x&assertion=PHNhbWw%3D", "assertion"),
    ])
  func forms(text: String, field: String) {
    let error = refusal(text)
    #expect(error?.code == .formFields)
    #expect(
      error?.found?.contains(field) == true && error?.hint.contains("up to") ?? false
        || field == "SAMLart")
  }

  @Test(
    "A Simple Web Token with a pair named like a field stays one; pairs without a MAC are unsigned")
  func notForms() throws {
    let text = "token=a&Issuer=i&Audience=rp&ExpiresOn=1893499500&HMACSHA256=" + "AAAA"
    #expect(throws: TokenError(.malformedMAC)) { try read(text) }
    #expect(throws: TokenError(.signatureMissing)) { try read("Issuer=i&Audience=rp") }
  }

  @Test(
    "A header field is told what to leave out",
    arguments: [
      "Bearer eyJhbGciOiJSUzI1NiJ9.e30.AAAA", "bearer eyJhbGciOiJSUzI1NiJ9.e30.AAAA",
      "Authorization: Bearer eyJhbGciOiJSUzI1NiJ9.e30.AAAA", "DPoP eyJhbGciOiJSUzI1NiJ9.e30.AAAA",
      "Bearer PHNhbWw+AA==",
      "x-amzn-oidc-data: eyJhbGciOiJSUzI1NiJ9.e30.AAAA",
    ])
  func headers(text: String) {
    #expect(refusal(text)?.code == .headerField)
    #expect(
      refusal(text)?.hint.contains("without") == true
        || refusal(text)?.hint.contains("alone") == true)
  }

  @Test(
    "A token in the JSON serialization, and claims without a signature, are no message of ACS",
    arguments: [
      (#"{"protected":"e30","payload":"e30","signature":"AA"}"#, "a signed token"),
      (#"{"payload":"e30","signatures":[{"protected":"e30","signature":"AA"}]}"#, "a signed token"),
      (
        #"{"payload":"e30","protected":"e30","signature":"AA","header":{"disclosures":[]}}"#,
        "a signed token"
      ),
      (#"{"protected":"e30","iv":"AA","ciphertext":"AA","tag":"AA"}"#, "an encrypted token"),
      (#"{"ciphertext":"AA","recipients":[{"encrypted_key":"AA"}]}"#, "an encrypted token"),
    ])
  func serializations(text: String, kind: String) {
    let error = refusal(text)
    #expect(error?.code == .jwsParts && error?.found == "the JSON serialization of \(kind)")
    #expect(error?.hint.contains("compact form") == true)
    #expect(refusal(#"{"iss":"https://idp.example","aud":"rp"}"#)?.code == .signatureMissing)
    #expect(refusal(#"{"sub":"ada","exp":1893499500}"#)?.code == .signatureMissing)
    // A payload alone is none, and a message of ACS stays one.
    #expect(refusal(#"{"payload":"e30"}"#)?.code == .jsonMember)
    #expect(refusal(#"{"securityToken":7,"exp":1}"#)?.code == .jsonMember)
  }

  @Test("JSON that holds a token is told which member to pass; other JSON is named")
  func json() {
    let answer = refusal(#"{"access_token":"eyJh.e30.AA","token_type":"Bearer"}"#)
    #expect(answer?.code == .jsonMembers && answer?.hint.contains("access_token") == true)
    for (text, word) in [
      (#"{"keys":[]}"#, "JWK set"), (#"{"jwks_uri":"https://i.example"}"#, "discovery"),
      (#"{"issuers":[]}"#, "trust file"), (#"{"error":"invalid_grant"}"#, "server"),
    ] {
      let error = refusal(text)
      #expect(error?.code == .notAToken && error?.found?.contains(word) == true)
    }
    #expect(refusal(#"{"a":1}"#)?.code == .jsonMember)
  }

  @Test("An HTML page is a page, and one that posts a form names the field")
  func pages() {
    for page in [
      "<!DOCTYPE html>\n<html><body>Sign in</body></html>", "<HTML><head></head></HTML>",
      "\n<html lang=\"en\"><form><input name=\"SAMLResponse\" value=\"PHNh\"/></form></html>",
    ] {
      #expect(refusal(page)?.found == "an HTML page")
      #expect(refusal(page)?.code.family == "xml")
    }
    let posting = refusal("<html><form><input name=\"SAMLResponse\" value=\"PHNh\"/></form></html>")
    #expect(posting?.hint.contains("SAMLResponse") == true)
    #expect(refusal("<!DOCTYPE x><x/>")?.code == .doctype)
  }

  @Test("Compressed octets and UTF-16 are called so, in base64 too")
  func encodings() throws {
    let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]
    #expect(refusal(gzip)?.code == .compressedInput)
    #expect(refusal(Base64.encode(gzip))?.code == .malformedDeflate)
    #expect(refusal(Base64.encode(gzip))?.found == "gzip data in base64")
    let zlib = refusal(Base64.encode([0x78, 0x9C, 0xB3, 0x29, 0xCA, 0xCF, 0x2F, 1]))
    #expect(zlib?.code == .malformedDeflate && zlib?.found == "a zlib stream in base64")
    let utf16 = { (text: String) -> [UInt8] in
      [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }
    #expect(refusal(utf16("<Response/>"))?.code == .xmlEncoding)
    #expect(refusal(Array(utf16("<Response/>").dropFirst(2)))?.code == .xmlEncoding)
    for text in ["eyJhbGciOiJSUzI1NiJ9.e30.AAAA", "Issuer=i&HMACSHA256=AA"] {
      #expect(refusal(utf16(text))?.code == .utf16Input)
      #expect(refusal(utf16(text))?.hint.contains("iconv") == true)
    }
    // A NUL elsewhere stays what it is.
    #expect(refusal(Array("<Response>\0</Response>".utf8))?.code == .nulByte)
  }

  @Test("Lines with a token each are told from a broken token")
  func lines() {
    for text in [
      #"{"id":1,"token":"eyJ.a.b"}"# + "\n" + #"{"id":2,"token64":"YQ=="}"# + "\n",
      "eyJh.a.b\neyJh.c.d\n",
    ] {
      #expect(refusal(text)?.hint.contains("line by line") == true, "\(text)")
    }
    #expect(refusal(#"{"token":"eyJ.a.b"}"#)?.hint.contains("line by line") == true)
    // A file of lines is soon larger than a token may be.
    let large = String(repeating: "eyJh.a.b\n", count: 200_000)
    #expect(refusal(large)?.code == .inputTooLarge)
    #expect(refusal(large)?.hint.contains("line by line") == true)
    #expect(refusal("eyJh.a.b\n")?.hint.contains("line by line") != true)
  }

  @Test("Keys and metadata are no tokens")
  func configuration() {
    #expect(
      refusal("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----")?.code == .notAToken)
    let metadata =
      "<md:EntityDescriptor xmlns:md=\"urn:oasis:names:tc:SAML:2.0:metadata\" "
      + "entityID=\"a\"/>"
    #expect(refusal(metadata)?.code == .unexpectedRoot)
    #expect(refusal(metadata)?.hint.contains("trusted metadata") == true)
    #expect(refusal("https://idp.example/login")?.code == .notAToken)
  }
}
