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
      let message = IncomingMessage(
        method: method, query: method == "GET" ? text : nil, contentType: type, body: body)
      _ = try? LogoutPeek.issuer(of: message)
      _ = try? party?.receive(message)
      guard let answer = try? SAMLAnswer(message), let request = try? answer.request else {
        continue
      }
      require(request.utf8.count == 40, "a request of ours has 40 digits")
    }
    if let message = try? RedirectMessage(query: text) {
      require(
        (try? message.verify([], at: Instant(secondsSinceEpoch: 0))) == nil, "no key, no proof")
    }
    if let path = try? ReturnPath(text) {
      require(path.text.hasPrefix("/") && !path.text.hasPrefix("//"), "a local path")
      require(!path.text.contains("\\") && !path.text.contains("\n"), "nothing that splits")
    }
    exerciseFields(text)
  }

  private func exerciseFields(_ text: String) {
    if let fields = try? HTTPFields([("Cookie", text)]) {
      let cookies = SiteRequest(method: "GET", path: "/", fields: fields).cookies
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
