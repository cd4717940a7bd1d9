import Federation
import TestSupport
import Testing

@Suite("A failure that an identity provider reports is shown whole")
struct StatusTests {
  private static let codes = "urn:oasis:names:tc:SAML:2.0:status:"

  private static func response20(_ status: String) -> String {
    """
    <samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" Version="2.0" \
    IssueInstant="2030-01-01T12:00:00Z">\(status)</samlp:Response>
    """
  }

  private static func response11(_ status: String) -> String {
    """
    <p:Response xmlns:p="urn:oasis:names:tc:SAML:1.0:protocol" ResponseID="_r" MajorVersion="1" \
    MinorVersion="1" IssueInstant="2030-01-01T12:00:00Z">\(status)</p:Response>
    """
  }

  private static func failure(_ text: String) -> TokenError? {
    do throws(TokenError) {
      _ = try AnyToken(reading: Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test("SAML 2.0: every code from the outermost in, and the message")
  func chain() {
    let status =
      "<samlp:Status><samlp:StatusCode Value=\"\(Self.codes)Responder\"><samlp:StatusCode "
      + "Value=\"\(Self.codes)AuthnFailed\"><samlp:StatusCode Value=\"urn:x:locked\"/>"
      + "</samlp:StatusCode></samlp:StatusCode><samlp:StatusMessage>  The account\n is <![CDATA["
      + "<locked>]]> &amp; closed\u{85} </samlp:StatusMessage></samlp:Status>"
    let error = Self.failure(Self.response20(status))
    #expect(error?.code == .responseStatus)
    #expect(
      error?.found
        == "\"Responder / AuthnFailed / urn:x:locked: The account is <locked> & closed?\"")
  }

  @Test("SAML 2.0: a code alone, and one of no standard")
  func codesAlone() {
    for (value, shown) in [
      ("\(Self.codes)Requester", "Requester"), ("urn:x:no", "urn:x:no"),
      ("urn:oasis:names:tc:SAML:1.0:status:Success", "urn:oasis:names:tc:SAML:1.0:status:Success"),
    ] {
      let error = Self.failure(
        Self.response20(
          "<samlp:Status><samlp:StatusCode Value=\"\(value)\"/><samlp:StatusMessage/></samlp:Status>"
        ))
      #expect(error?.code == .responseStatus)
      #expect(error?.found == "\"\(shown)\"")
    }
  }

  @Test("SAML 1.1: names by the protocol's prefix alone, others unchanged")
  func version1() {
    let status =
      "<p:Status><p:StatusCode Value=\"p:Responder\"><p:StatusCode Value=\"p:RequestDenied\">"
      + "<p:StatusCode Value=\"q:Success\"/></p:StatusCode></p:StatusCode><p:StatusMessage>no"
      + "</p:StatusMessage></p:Status>"
    let error = Self.failure(Self.response11(status))
    #expect(error?.code == .responseStatus)
    #expect(error?.found == "\"Responder / RequestDenied / q:Success: no\"")
  }

  /// As SimpleSAMLphp writes it: elements without a prefix, a signature over the response, and the code's prefix
  /// declared beside it, where exclusive canonicalization leaves it out.
  private static func signed11(_ declaration: String, _ code: String) throws -> String {
    let assertion = """
      <a:Assertion xmlns:a="urn:oasis:names:tc:SAML:1.0:assertion" MajorVersion="1" MinorVersion="1" AssertionID="_a" \
      Issuer="https://idp.example/idp" IssueInstant="2030-01-01T12:00:00Z"><a:Conditions \
      NotOnOrAfter="2030-01-01T12:05:00Z"><a:AudienceRestrictionCondition><a:Audience>https://rp.example/saml\
      </a:Audience></a:AudienceRestrictionCondition></a:Conditions><a:AttributeStatement><a:Subject>\
      <a:NameIdentifier>alice</a:NameIdentifier><a:SubjectConfirmation><a:ConfirmationMethod>\
      urn:oasis:names:tc:SAML:1.0:cm:bearer</a:ConfirmationMethod></a:SubjectConfirmation></a:Subject>\
      <a:Attribute AttributeName="st" AttributeNamespace="urn:st"><a:AttributeValue>v</a:AttributeValue>\
      </a:Attribute></a:AttributeStatement></a:Assertion>
      """
    return try SignedXML.signed(
      """
      <Response xmlns="urn:oasis:names:tc:SAML:1.0:protocol" \(declaration) ResponseID="_r" MajorVersion="1" \
      MinorVersion="1" IssueInstant="2030-01-01T12:00:00Z">SIGNATURE<Status><StatusCode Value="\(code)"/></Status>\
      \(assertion)</Response>
      """, id: "_r", named: "ResponseID")
  }

  @Test(
    "SAML 1.1: `samlp:Success` needs no signed declaration, a prefix that is not the standard's does"
  )
  func signedPrefix() throws {
    let samlp = "xmlns:samlp=\"urn:oasis:names:tc:SAML:1.0:protocol\""
    let genuine = try Self.signed11(samlp, "samlp:Success")
    #expect(try SignedXML.outcome(genuine).code == nil)
    // Whoever changes the declaration can have it refused.
    let changed = genuine.replacing(samlp, with: "xmlns:samlp=\"urn:q\"")
    #expect(try SignedXML.outcome(changed).code == .responseStatus)
    let failed = try Self.signed11(samlp, "samlp:Responder")
    #expect(try SignedXML.outcome(failed).code == .responseStatus)
    let foreign = try Self.signed11("xmlns:q=\"urn:q\"", "q:Success")
    #expect(try SignedXML.outcome(foreign).code == .responseStatus)
    let rebound = foreign.replacing("urn:q", with: "urn:oasis:names:tc:SAML:1.0:protocol")
    #expect(try SignedXML.outcome(rebound).code == .responseStatus)
  }

  @Test("However long it is, an error shows 512 characters of it, and no line of its own")
  func bounds() throws {
    let message = String(repeating: "x\u{202E}", count: 4000)
    let status =
      "<samlp:Status><samlp:StatusCode Value=\"\(Self.codes)Responder\"/><samlp:StatusMessage>"
      + message + "</samlp:StatusMessage></samlp:Status>"
    let found = try #require(Self.failure(Self.response20(status))?.found)
    #expect(found.hasPrefix("\"Responder: x?x?"))
    #expect(found.utf8.count < 512 + 40)
    #expect(!found.unicodeScalars.contains("\u{202E}"))
  }

  @Test("The verdict has the same status for a response that has an assertion")
  func withAssertion() throws {
    let vector = try #require(
      TestVector.all.first { $0.id == "saml20/response-assertion-signed" })
    let text = String(decoding: vector.token, as: UTF8.self)
    let failed = text.replacing(
      "\(Self.codes)Success\"/>",
      with: "\(Self.codes)Responder\"><samlp:StatusCode Value=\"\(Self.codes)RequestDenied\"/>"
        + "</samlp:StatusCode><samlp:StatusMessage>not today</samlp:StatusMessage>")
    #expect(failed != text)
    #expect(throws: Never.self) { try vector.report(on: vector.token).get() }
    let error = #expect(throws: TokenError(.responseStatus)) {
      try vector.report(on: Array(failed.utf8)).get()
    }
    #expect(error?.found == "\"Responder / RequestDenied: not today\"")
  }
}
