import AccessControl
import HTTPExchange
import TestSupport
import Testing

@Suite("WS-Trust at the local Access Control Service")
struct WSTrustTests {
  private let fixture: SiteFixture

  init() throws { fixture = try SiteFixture() }

  static let trust13 = "http://docs.oasis-open.org/ws-sx/ws-trust/200512"
  private static let trust2005 = "http://schemas.xmlsoap.org/ws/2005/02/trust"
  private static let soap11 = "http://schemas.xmlsoap.org/soap/envelope/"
  static let soap12 = "http://www.w3.org/2003/05/soap-envelope"
  private static let security =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
  private static let utility =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"

  /// The request of the protocol reference, section 2.5. The clock stands at 2029-12-31T23:50:00Z.
  static func request(soap: String = soap12, trust: String = trust13) -> String {
    """
    <s:Envelope xmlns:s="\(soap)" xmlns:a="http://www.w3.org/2005/08/addressing">
     <s:Header>
      <a:Action s:mustUnderstand="1">\(trust)/RST/Issue</a:Action>
      <a:MessageID>urn:uuid:1</a:MessageID><a:To s:mustUnderstand="1">https://acs.example/v2/wstrust/13/username</a:To>
      <o:Security s:mustUnderstand="1" xmlns:o="\(security)">
       <u:Timestamp xmlns:u="\(utility)"><u:Created>2029-12-31T23:50:00Z</u:Created><u:Expires>2029-12-31T23:55:00Z</u:Expires></u:Timestamp>
       <o:UsernameToken><o:Username>uploader</o:Username><o:Password>pass word</o:Password></o:UsernameToken>
      </o:Security>
     </s:Header>
     <s:Body><t:RequestSecurityToken xmlns:t="\(trust)" Context="c&amp;1">
      <wsp:AppliesTo xmlns:wsp="http://schemas.xmlsoap.org/ws/2004/09/policy"><a:EndpointReference><a:Address>uri:talks.example.org</a:Address></a:EndpointReference></wsp:AppliesTo>
      <t:RequestType>\(trust)/Issue</t:RequestType>
      <t:TokenType>urn:oasis:names:tc:SAML:2.0:assertion</t:TokenType>
     </t:RequestSecurityToken></s:Body>
    </s:Envelope>
    """
  }

  private func post(
    _ body: String, to fixture: SiteFixture? = nil
  ) async throws -> HTTPExchange.HTTPResponse {
    var request = WebRequest(
      method: "POST", path: "/v2/wstrust/13/username", body: Array(body.utf8))
    try request.fields.append("Content-Type", "application/soap+xml; charset=utf-8")
    return await (fixture ?? self.fixture).site.respond(to: request)
  }

  @Test(
    "A name and password give a token in the format that is asked for, in each version",
    arguments: [soap11, soap12], [trust13, trust2005])
  func issues(soap: String, trust: String) async throws {
    let response = try await post(Self.request(soap: soap, trust: trust))
    #expect(response.status == 200)
    let type = response.fields["Content-Type"] ?? ""
    #expect(type.hasPrefix(soap == Self.soap11 ? "text/xml" : "application/soap+xml"))
    #expect(response.text.contains(">urn:uuid:1<") && response.text.contains("\"c&amp;1\""))
    let token = try AnyToken(reading: response.body)
    let verified = try TokenValidator(fixture.trust("uri:talks.example.org")).validate(
      token, at: SiteFixture.now)
    #expect(token.format == .saml20 && verified.claims.single("urn:program") == "uploader")
    // Without a type: the format of the relying party.
    let type20 = "<t:TokenType>urn:oasis:names:tc:SAML:2.0:assertion</t:TokenType>"
    let plain = Self.request(soap: soap, trust: trust).replacing(type20, with: "")
    #expect(try AnyToken(reading: try await post(plain).body).format == .swt)
  }

  private static let refusals: [(from: String, to: String, code: String, number: String)] = [
    ("</s:Envelope>", "", "issuing.soap-message", "ACS10000"),
    ("<s:Envelope", "<!DOCTYPE a><s:Envelope", "issuing.soap-message", "ACS10000"),
    (soap12, "urn:soap", "issuing.soap-message", "ACS10000"),
    ("RST/Issue</a:Action>", "RST/Renew</a:Action>", "issuing.soap-header", "ACS10001"),
    ("https://acs.example/v2", "https://other.example/v2", "issuing.soap-header", "ACS10001"),
    (
      "<a:MessageID>", "<x:New xmlns:x=\"urn:x\" s:mustUnderstand=\"true\"/><a:MessageID>",
      "issuing.soap-header", "ACS10001"
    ),
    ("<a:MessageID>", "<a:To>b</a:To><a:MessageID>", "issuing.soap-header", "ACS10001"),
    ("t:RequestSecurityToken", "t:Other", "issuing.soap-body", "ACS10002"),
    ("uri:talks.example.org", "<a:b/>", "issuing.soap-body", "ACS10002"),
    ("2.0:assertion", "3.0:assertion", "issuing.soap-body", "ACS10002"),
    ("/Issue</t:RequestType>", "/Renew</t:RequestType>", "issuing.soap-body", "ACS10002"),
    ("o:UsernameToken>", "o:OtherToken>", "issuing.soap-security", "ACS10003"),
    ("<o:Password>", "<o:Password Type=\"urn:digest\">", "issuing.soap-security", "ACS10003"),
    ("2029-12-31T23:55:00Z", "2029-12-31T23:45:00Z", "issuing.soap-security", "ACS10003"),
    ("2029-12-31T23:50:00Z", "2029-12-31T23:56:00Z", "issuing.soap-security", "ACS10003"),
    ("2029-12-31T23:50:00Z", "yesterday", "issuing.soap-security", "ACS10003"),
    (
      "<o:UsernameToken>", "<x:Signature xmlns:x=\"urn:x\"/><o:UsernameToken>",
      "issuing.soap-security", "ACS10003"
    ),
    (
      "<t:RequestType>", "<t:OnBehalfOf>x</t:OnBehalfOf><t:RequestType>", "issuing.soap-body",
      "ACS10002"
    ),
    (
      "<t:RequestType>", "<t:ActAs xmlns:t=\"urn:t\">x</t:ActAs><t:RequestType>",
      "issuing.soap-body", "ACS10002"
    ),
    (
      "</o:Password>", "</o:Password><o:Nonce>no base64</o:Nonce>", "issuing.soap-security",
      "ACS10003"
    ),
    (
      "</o:Password>",
      "</o:Password><u:Created xmlns:u=\"\(utility)\">2029-12-31T23:40:00Z</u:Created>",
      "issuing.soap-security", "ACS10003"
    ),
    ("</s:Envelope>", "<s:Body/></s:Envelope>", "issuing.soap-message", "ACS10000"),
    ("</s:Envelope>", "<s:Other/></s:Envelope>", "issuing.soap-message", "ACS10000"),
    ("</a:To>", "</a:To><a:To>b</a:To>", "issuing.soap-header", "ACS10001"),
    ("</s:Body>", "<t:Other xmlns:t=\"urn:t\"/></s:Body>", "issuing.soap-body", "ACS10002"),
    (
      "<t:RequestType>",
      "<t:TokenType>urn:oasis:names:tc:SAML:2.0:assertion</t:TokenType><t:RequestType>",
      "issuing.soap-body", "ACS10002"
    ),
    (
      "<t:RequestType>", "<t:KeyType>\(trust13)/SymmetricKey</t:KeyType><t:RequestType>",
      "issuing.soap-body", "ACS10002"
    ),
    (
      "</a:EndpointReference>", "</a:EndpointReference><a:Other/>", "issuing.soap-body", "ACS10002"
    ),
    (
      "</o:UsernameToken>",
      "</o:UsernameToken><o:UsernameToken><o:Username>uploader</o:Username><o:Password>pass word</o:Password></o:UsernameToken>",
      "issuing.soap-security", "ACS10003"
    ),
    ("</o:Password>", "</o:Password><o:Other/>", "issuing.soap-security", "ACS10003"),
    ("</u:Expires>", "</u:Expires><u:Other/>", "issuing.soap-security", "ACS10003"),
    (
      "</o:Password>",
      "</o:Password><u:Created xmlns:u=\"\(utility)\">2029-12-31T23:55:00Z</u:Created>",
      "issuing.soap-security", "ACS10003"
    ),
    ("</o:Password>", "</o:Password><o:Nonce/>", "issuing.soap-security", "ACS10003"),
    (
      "</o:Password>",
      "</o:Password><o:Nonce>\(String(repeating: "AAAA", count: 257))</o:Nonce>",
      "issuing.soap-security", "ACS10003"
    ),
    (">pass word<", ">password<", "issuing.credentials", "ACS50012"),
    ("uri:talks.example.org", "uri:unknown", "issuing.unknown-realm", "ACS50001"),
    ("uri:talks.example.org", "uri:silent", "rules.no-output", "ACS60001"),
  ]

  @Test("Each part that is wrong has its number and code in a fault, and a password never")
  func refusals() async throws {
    for (from, to, code, number) in Self.refusals {
      let whole = Self.request()
      let changed = whole.replacing(from, with: to)
      #expect(changed != whole, "\(from)")
      let response = try await post(changed)
      #expect(response.status == 400, "\(to)")
      #expect(
        response.text.contains("\(number): ") && response.text.contains("(\(code))"),
        "\(to): \(response.text)")
      #expect(!response.text.contains("pass word"))
    }
    #expect(TokenError.Code.issuingSOAPMessage.rawValue == "issuing.soap-message")
    for code in [
      TokenError.Code.issuingSOAPHeader, .issuingSOAPBody, .issuingSOAPSecurity,
    ] { #expect(Self.refusals.contains { $0.code == code.rawValue }) }
  }

  @Test("A UsernameToken with a nonce and its time works once")
  func nonces() async throws {
    func request(_ nonce: String, created: String = "2029-12-31T23:49:00Z") -> String {
      Self.request().replacing(
        "</o:Password>",
        with: "</o:Password><o:Nonce>\(nonce)</o:Nonce>"
          + "<u:Created xmlns:u=\"\(Self.utility)\">\(created)</u:Created>")
    }
    #expect(try await post(request("AAECAwQFBgc=")).status == 200)
    let again = try await post(request("AAECAwQFBgc="))
    #expect(again.status == 400 && again.text.contains("(issuing.soap-security)"))
    #expect(try await post(request("AAECAwQFBgg=")).status == 200)
    #expect(
      try await post(request("AAECAwQFBgc=", created: "2029-12-31T23:49:01Z")).status == 200)
    let longest = String(repeating: "AAAA", count: 256)
    #expect(try await post(request(longest, created: "2029-12-31T23:54:59Z")).status == 200)
    // A guess with somebody's nonce takes nothing away.
    let wrong = request("AAECAwQFBgk=").replacing(">pass word<", with: ">no<")
    #expect(try await post(wrong).text.contains("issuing.credentials"))
    #expect(try await post(request("AAECAwQFBgk=")).status == 200)
  }

  @Test("A fault is of the version of the request, with the status that its clients look at")
  func faults() async throws {
    let old = Self.request(soap: Self.soap11, trust: Self.trust2005)
      .replacing(">pass word<", with: ">no<")
    let response = try await post(old)
    #expect(response.status == 500)
    #expect(response.text.contains("<faultcode>t:FailedAuthentication</faultcode>"))
    #expect(response.text.contains("<faultstring>ACS50012: "))
    #expect(response.text.contains("xmlns:t=\"\(Self.trust2005)\""))
    let new = try await post(Self.request().replacing(">pass word<", with: ">no<"))
    #expect(
      new.text.contains(
        "<s:Subcode><s:Value>trust:FailedAuthentication</s:Value></s:Subcode></s:Code>"))
    #expect(new.text.contains("<s:Value>s:Sender</s:Value>"))
    #expect(new.text.contains("<s:Text xml:lang=\"en\">ACS50012: "))
    // No certificate is a failure of the service.
    let keyless = try await post(Self.request(), to: SiteFixture(keys: false))
    #expect(keyless.status == 500 && keyless.text.contains("ACS50004"))
    #expect(keyless.text.contains("<s:Value>s:Receiver</s:Value>"))
    let read = try AnyTokenOutcome(new.body)
    #expect(read.code == .soapFault)
    #expect(try await fixture.get("/v2/wstrust/13/username").text.contains("ACS90007"))
  }

  /// How a client reads a fault.
  private struct AnyTokenOutcome {
    let code: TokenError.Code?

    init(_ octets: [UInt8]) throws {
      do throws(TokenError) {
        _ = try AnyToken(reading: octets)
        code = nil
      } catch {
        code = error.code
      }
    }
  }
}
