import Foundation
import SignIn
import TestSupport
import XMLOracle

/// What a browser brings: queries of the Redirect binding, posted messages, logout messages over SOAP, WS-Federation,
/// cookies, tokens in headers.
struct BrowserTarget: FuzzTarget {
  private let sealer = try? SignInSealer(
    origin: HTTPURL("https://app.example/").origin, keys: [Array(repeating: 1, count: 32)])
  private let party = try? PassiveRelyingParty(
    realm: "urn:app", reply: HTTPURL("https://app.example/wsfed"))

  /// The services that may ask which provider a person uses.
  private let services: [EntityDescriptor] = {
    var metadata = ServiceProviderMetadata(
      entityID: "https://wiki.example", consumer: "https://wiki.example/acs")
    metadata.discoveryResponse = "https://wiki.example/chosen"
    guard let document = try? metadata.document(), var reader = try? MetadataReader() else {
      return []
    }
    return ((try? reader.consume(document)) ?? []) + ((try? reader.finish()) ?? [])
  }()

  var seeds: [(name: String, octets: [UInt8])] {
    let response = TestVector.of("saml20").first { $0.accepts }?.token ?? []
    let encoded = HTTPURL.percentEncoded(Data(response).base64EncodedString())
    return [
      (
        "redirect",
        "SAMLRequest=fVLLTsMwEPwVy%2Fc&RelayState=0123&SigAlg=http%3A%2F%2Fx&Signature=AAAA"
      ),
      ("response", "SAMLResponse=fVLL&RelayState="),
      ("post", "SAMLResponse=\(encoded)&RelayState=0123456789abcdef0123456789abcdef01234567"),
      ("passive", "wa=wsignin1.0&wresult=%3Ct%3A&wctx=0123456789abcdef"),
      ("cleanup", "wa=wsignoutcleanup1.0&wreply=https%3A%2F%2Fevil.example"),
      (
        "artifact",
        "SAMLart=AAQAAprJWFYIyIEyxSyAaVMyazzski%2FEBwcHBwcHBwcHBwcHBwcHBwcHBwc%3D&RelayState=0123"
      ),
      (
        "discovery",
        "entityID=https%3A%2F%2Fwiki.example&return=https%3A%2F%2Fwiki.example%2Fchosen%3Fa%3D1"
          + "&returnIDParam=idp&isPassive=true"
      ),
      ("return", "return=%2Fdeep%2Fpage%3Fq%3D1&provider=a"),
      ("cookie", "__Host-session=AAAA; __Host-signin-01234567=AAAA; a=b"),
      ("bearer", "Bearer eyJhbGciOiJub25lIn0.e30."), ("wrap", "WRAP access_token=\"a%3db\""),
      (
        "soap",
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
          + "<p:LogoutRequest xmlns:p=\"urn:oasis:names:tc:SAML:2.0:protocol\" ID=\"_a\" Version=\"2.0\"/>"
          + "</s:Body></s:Envelope>"
      ),
    ].map { ($0.0, Array($0.1.utf8)) }
  }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? { nil }

  func exercise(_ octets: [UInt8]) {
    let text = String(decoding: octets, as: UTF8.self)
    for (method, type, body) in [
      ("GET", nil, []), ("POST", "application/x-www-form-urlencoded", octets),
      ("POST", "text/xml", octets),
    ] as [(String, String?, [UInt8])] {
      let message = WebRequest(
        method: method, query: method == "GET" ? text : nil, contentType: type, body: body)
      _ = try? LogoutPeek.issuer(of: message)
      _ = try? party?.receive(message)
      if let artifact = try? SAMLArtifact(message) {
        require(!artifact.description.contains("AAQ"), "an artifact is not shown")
      }
      guard let answer = try? SAMLAnswer(message), let request = try? answer.request else {
        continue
      }
      require(request.utf8.count == 40, "a request of ours has 40 digits")
    }
    if let message = try? RedirectMessage(query: text) {
      require(
        (try? message.verify([], at: Instant(secondsSinceEpoch: 0))) == nil, "no key, no proof")
    }
    if let question = try? DiscoveryRequest(
      WebRequest(method: "GET", query: text), services: services)
    {
      let answer = question.answer("https://idp.example/").address.text
      require(
        answer.hasPrefix("https://wiki.example/chosen?")
          && answer.hasSuffix("=https%3A%2F%2Fidp.example%2F"), "an address of the service")
    }
    if let path = try? ReturnPath(text) {
      require(path.text.hasPrefix("/") && !path.text.hasPrefix("//"), "a local path")
      require(!path.text.contains("\\") && !path.text.contains("\n"), "nothing that splits")
    }
    exerciseFields(text)
  }

  private func exerciseFields(_ text: String) {
    if let fields = try? HTTPFields([("Cookie", text)]) {
      let cookies = WebRequest(method: "GET", path: "/", fields: fields).cookies
      for name in ["__Host-session", "a"] {
        let alone = CookieField.value(of: name, in: [text])
        require(alone?.revealed == cookies[name]?.revealed, "both readers of cookies agree")
      }
      for name in cookies.names {
        let opened = try? sealer?.open(
          name, cookies[name], .saml2, at: Instant(secondsSinceEpoch: 0))
        require(opened == nil, "nobody else seals")
      }
      _ = sealer?.surplus(in: cookies, at: Instant(secondsSinceEpoch: 0))
    }
    if let fields = try? HTTPFields([("Authorization", text)]) { _ = try? RequestToken(fields) }
  }
}
