import Federation
import TestSupport
import Testing

/// Tokens in SOAP envelopes, as files have them.
@Suite("SOAP around a token")
struct SOAPMessageTests {
  private static let soap11 = "http://schemas.xmlsoap.org/soap/envelope/"
  private static let soap12 = "http://www.w3.org/2003/05/soap-envelope"
  private static let ecp =
    "<e:Response xmlns:e=\"urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp\" s:mustUnderstand=\"1\"/>"

  private func envelope(
    _ content: String, header: String = "", _ soap: String = soap11
  ) -> String {
    let block = header.isEmpty ? "" : "<s:Header>\(header)</s:Header>"
    return "<s:Envelope xmlns:s=\"\(soap)\">\(block)<s:Body>\(content)</s:Body></s:Envelope>"
  }

  private func vector(_ name: String) throws -> TestVector {
    try #require(TestVector.all.first { $0.id == "saml20/" + name })
  }

  private func text(_ vector: TestVector) -> String {
    let text = String(decoding: vector.token, as: UTF8.self)
    return text.hasPrefix("<?xml") ? String(text[text.firstRange(of: "?>")!.upperBound...]) : text
  }

  @Test(
    "A response and an assertion in an envelope of either version get the verdict that they get alone"
  )
  func accepted() throws {
    for name in ["response-assertion-signed", "response-response-signed"] {
      let vector = try vector(name)
      let claims = try vector.report(on: vector.token).get().claims
      for soap in [Self.soap11, Self.soap12] {
        let octets = Array(envelope(text(vector), header: Self.ecp, soap).utf8)
        let verified = try vector.report(on: octets).get()
        #expect(verified.claims == claims)
        #expect(verified.warnings.allSatisfy { !$0.hasPrefix("soap:") })
      }
    }
    let alone = try vector("assertion-alone")
    #expect(try alone.report(on: Array(envelope(text(alone)).utf8)).get().token.format == .saml20)
  }

  @Test("A header block that demands to be understood is named in a warning, and never read")
  func header() throws {
    let vector = try vector("response-assertion-signed")
    for (block, isNamed) in [
      ("<x:y xmlns:x=\"urn:x\" s:mustUnderstand=\"1\"/>", true),
      ("<x:y xmlns:x=\"urn:x\" s:mustUnderstand=\" true \"/>", true),
      ("<x:y xmlns:x=\"urn:x\" s:mustUnderstand=\"0\"/>", false),
      ("<x:y xmlns:x=\"urn:x\"/>", false),
      ("<a:To xmlns:a=\"http://www.w3.org/2005/08/addressing\" s:mustUnderstand=\"1\"/>", false),
    ] {
      let octets = Array(envelope(text(vector), header: block).utf8)
      let warnings = try vector.report(on: octets).get().warnings
      #expect(warnings.contains { $0.hasPrefix("soap:") && $0.contains("urn:x") } == isNamed)
    }
  }

  @Test("A body holds one message")
  func body() throws {
    let vector = try vector("response-assertion-signed")
    for (text, code) in [
      (envelope(""), TokenError.Code.noAssertion),
      (envelope(text(vector) + "<x/>"), .unexpectedElement),
      (envelope("<s:Fault><faultcode>s:Client</faultcode></s:Fault>"), .soapFault),
      (envelope(envelope(text(vector))), .unexpectedRoot),
    ] {
      #expect(throws: TokenError(code)) { try AnyToken(reading: Array(text.utf8)) }
    }
  }

  @Test("An ArtifactResponse is no token, in an envelope or alone, and is said to be one")
  func artifactResponse() throws {
    let answer =
      "<samlp:ArtifactResponse xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\" ID=\"_x\"/>"
    for text in [answer, envelope(answer)] {
      #expect(throws: TokenError(.artifactResponse)) {
        try AnyToken(reading: Array(text.utf8))
      }
    }
  }
}
