import Foundation
import IdentityProviderTesting
import SignIn
import Testing

@Suite("SAML messages as a browser brings them")
struct PostedMessageTests {
  private static let form = "application/x-www-form-urlencoded"
  private static let response = Data("<a/>".utf8).base64EncodedString()

  private static func message(
    _ fields: [(String, String)] = [("SAMLResponse", response)], method: String = "POST",
    query: String? = nil, contentType: String? = form
  ) -> WebRequest {
    let posted = IdentityProviderSimulator.form(fields)
    return WebRequest(
      method: method, path: "/", query: query, contentType: contentType, body: posted.body)
  }

  @Test("BIND-2: A posted message is one parameter of a form, and nothing of it is in the query")
  func posted() throws {
    #expect(try !PostedMessage(Self.message()).isRequest)
    #expect(try PostedMessage(Self.message(query: "utm=1")).octets == Array("<a/>".utf8))
    let bom = Data([0xEF, 0xBB, 0xBF] + Array("<a/>".utf8)).base64EncodedString()
    #expect(try PostedMessage(Self.message([("SAMLRequest", bom)])).isRequest)
    let spaced = Data("\n <a/>".utf8).base64EncodedString()
    #expect(try !PostedMessage(Self.message([("SAMLResponse", spaced)])).isRequest)
    let both = [("SAMLResponse", Self.response), ("SAMLRequest", Self.response)]
    for (message, expected) in [
      (Self.message(method: "GET"), TokenError.Code.clientContentType),
      (Self.message(method: "PUT"), .clientContentType),
      (Self.message(contentType: "text/plain"), .clientContentType),
      (Self.message(contentType: nil), .clientContentType),
      (Self.message(query: "RelayState=x"), .clientDuplicateParameter),
      (Self.message(query: "SAMLart=x"), .clientDuplicateParameter),
      (Self.message(both), .clientParameter),
      (Self.message([("RelayState", "x")]), .clientParameter),
      (
        Self.message([("SAMLResponse", Data("deflated".utf8).base64EncodedString())]),
        .clientParameter
      ),
    ] { #expect(refusalCode { _ = try PostedMessage(message) } == expected) }
  }

  @Test("An answer is a SAML 2.0 response: a request, another root and SAML 1.1 are refused")
  func answers() throws {
    let idp = try IdentityProviderSimulator()
    let id = "_" + String(repeating: "a1", count: 20)
    let answer = try SAMLAnswer(idp.message(.init(inResponseTo: id)))
    #expect(try answer.request == String(id.dropFirst()) && answer.namesRequest)
    let xml = try idp.response(.init(inResponseTo: id))
    let request = IdentityProviderSimulator.form([("SAMLRequest", Data(xml).base64EncodedString())])
    #expect(refusalCode { _ = try SAMLAnswer(request) } == .clientParameter)
    var draft = TokenDraft(
      issuer: idp.entityID, audiences: ["a"], issuedAt: Instant(secondsSinceEpoch: 1_893_499_200))
    draft.subject = "ada"
    let old = try SAMLIssuer(.v1, key: idp.key).response(
      draft, delivery: SAMLDelivery(recipient: "https://app.example/saml/acs"), signing: .assertion)
    let posted = IdentityProviderSimulator.form([("SAMLResponse", Data(old).base64EncodedString())])
    #expect(refusalCode { _ = try SAMLAnswer(posted) } == .formatMismatch)
  }

  @Test(
    "An identifier of a request that this service cannot have made finds no pending sign-in",
    arguments: [
      "a" + String(repeating: "a1", count: 20), "_" + String(repeating: "a1", count: 19),
      "_" + String(repeating: "A1", count: 20), "_" + String(repeating: "g1", count: 20),
    ])
  func foreignRequest(id: String) throws {
    let answer = try SAMLAnswer(IdentityProviderSimulator().message(.init(inResponseTo: id)))
    #expect(refusalCode { _ = try answer.request } == .signInUnknown)
  }
}

@Suite("SAML messages in the query of an address")
struct RedirectMessageTests {
  private func query(_ parameters: String) throws -> String {
    let address = try RedirectBinding.address(
      HTTPURL("https://app.example/"), "SAMLResponse", Array("<a/>".utf8), relayState: "x", key: nil
    )
    return try #require(address.query) + parameters
  }

  private func code(_ query: String) -> TokenError.Code? {
    do {
      _ = try RedirectMessage(query: query)
      return nil
    } catch { return error.code }
  }

  @Test("BIND-3: One message, its names as the binding has them, and DEFLATE alone")
  func reading() throws {
    let deflate = "urn%3Aoasis%3Anames%3Atc%3ASAML%3A2.0%3Abindings%3AURL-Encoding%3ADEFLATE"
    for more in ["", "&utm=1", "&SAMLEncoding=" + deflate] {
      let message = try RedirectMessage(query: query(more))
      #expect(message.octets == Array("<a/>".utf8) && !message.isRequest && !message.isSigned)
    }
    for (more, expected) in [
      ("&SAMLRequest=YQ", TokenError.Code.clientParameter),
      ("&SAMLEncoding=urn%3Anone", .clientParameter), ("&sigalg=x", .clientParameter),
      ("&%53igAlg=x", .clientMalformedForm), ("&Sig%41lg=x", .clientMalformedForm),
    ] { #expect(try code(query(more)) == expected, "\(more)") }
    #expect(code("RelayState=x") == .clientParameter)
  }
}

@Suite("References to SAML messages")
struct SAMLArtifactTests {
  private static let artifact = Data([0, 4, 0, 2] + Array(repeating: 7, count: 40))
    .base64EncodedString()

  private func artifact(
    _ query: String?, method: String = "GET", contentType: String? = nil, body: String = ""
  ) throws -> SAMLArtifact? {
    try SAMLArtifact(
      WebRequest(
        method: method, path: "/", query: query, contentType: contentType, body: Array(body.utf8)))
  }

  @Test("BIND-13: An artifact is of type 4 and alone; a message beside it is refused")
  func reading() throws {
    let escaped = HTTPURL.percentEncoded(Self.artifact)
    let form = "application/x-www-form-urlencoded"
    #expect(try artifact("SAMLart=\(escaped)&RelayState=x")?.request == "x")
    #expect(try artifact(nil, method: "POST", contentType: form, body: "SAMLart=\(escaped)") != nil)
    #expect(try artifact("x=1") == nil)
    #expect(
      try artifact(nil, method: "POST", contentType: "text/plain", body: "SAMLart=\(escaped)")
        == nil)
    for query in [
      "SAMLart=\(escaped)&SAMLResponse=YQ", "SAMLart=\(escaped)&SAMLRequest=YQ",
      "SAMLart="
        + HTTPURL.percentEncoded(
          Data([1, 4] + Array(repeating: 7, count: 42)).base64EncodedString()),
      "SAMLart="
        + HTTPURL.percentEncoded(
          Data([0, 3] + Array(repeating: 7, count: 42)).base64EncodedString()),
    ] { #expect(refusalCode { _ = try artifact(query) } == .clientParameter) }
    #expect(
      refusalCode {
        _ = try artifact(
          "SAMLart=\(escaped)", method: "POST", contentType: form, body: "SAMLart=\(escaped)")
      } == .clientDuplicateParameter)
  }

  @Test("An artifact without RelayState, or with an empty one, answers no request of ours")
  func unsolicited() throws {
    let escaped = HTTPURL.percentEncoded(Self.artifact)
    for query in ["SAMLart=\(escaped)", "SAMLart=\(escaped)&RelayState="] {
      let artifact = try #require(try artifact(query))
      #expect(refusalCode { _ = try artifact.request } == .signInUnsolicited)
    }
  }
}
