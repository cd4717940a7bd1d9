import AccessControl
import HTTPExchange
import TestSupport
import Testing
import TokenBasics

/// Redirect URIs of programs on a person's device (RFC 8252, 7).
@Suite("Redirect URIs of apps at the local Access Control Service")
struct AppRedirectTests {
  private static let uri = "com.example.app:/callback"

  @Test(
    "RFC 8252, 7.1: A private-use scheme has a dot and a path, and nothing of a fragment or a wildcard"
  )
  func schemes() {
    for text in [Self.uri, "com.example.app://callback", "org.a-b.c1:/x?y=z"] {
      #expect(AppURI(text)?.text == text)
    }
    for text in [
      "myapp:/callback", "com.example.app:", "com.example.app:callback", "app.example.com:8443/cb",
      "com.example.app:/x#y", "com.example.app:/*", "Com.Example:/x", ".app:/x", "com..app:/x",
      "javascript:/x", "com.example.app:/a b", "https://app.example/",
    ] { #expect(AppURI(text) == nil, "\(text)") }
  }

  private func fixture() throws -> OAuthFixture {
    try OAuthFixture { parties in
      parties[2].appAddresses = [Self.uri].compactMap { AppURI($0) }
    }
  }

  @Test("A code goes to an app by its private-use scheme, and is exchanged with that redirect URI")
  func code() async throws {
    let fixture = try fixture()
    let begun = try await fixture.site.get(
      OAuthFixture.target("app", ["redirect_uri": Self.uri]))
    let response = try await fixture.site.press("0", after: begun)
    let location = try #require(response.fields["Location"], "\(response.text)")
    #expect(location.hasPrefix(Self.uri + "?code="))
    let query = try FormReader(location.dropFirst((Self.uri + "?").count).utf8)
    #expect(query["state"] == "s" && query["iss"] == "https://acs.example/")
    let redeemed = try await fixture.redeem(
      query.require("code"), "app", ["redirect_uri": Self.uri])
    #expect(redeemed.status == 200, "\(redeemed.response.text)")
  }

  @Test("An app that is not registered gets a page, and none gets a form")
  func refused() async throws {
    let fixture = try fixture()
    for uri in ["com.example.app:/callback/x", "com.example.other:/callback"] {
      let page = try await fixture.site.get(OAuthFixture.target("app", ["redirect_uri": uri]))
      #expect(page.status == 400 && page.fields["Location"] == nil)
      #expect(page.text.contains("code issuing.reply-address"), "\(page.text)")
    }
    let posted = try await fixture.site.get(
      OAuthFixture.target("app", ["redirect_uri": Self.uri, "response_mode": "form_post"]))
    #expect(posted.fields["Location"]?.contains("error=invalid_request") == true)
  }

  @Test("The file has the URI of an app for a relying party that gets codes, and no address with *")
  func file() {
    func errors(_ address: String, _ format: String = "JWT") -> [TokenError] {
      ServiceFile.read(
        Array(
          """
          {"issuer": "http://127.0.0.1:8090/", "listen": "127.0.0.1:8090",
           "providers": [{"kind": "google"}],
           "ruleGroups": [{"name": "d", "generate": ["Google"]}],
           "relyingParties": [{"realm": "a", "format": "\(format)", "return": ["\(address)"],
             "rules": ["d"]}]}
          """.utf8)
      ).errors
    }
    #expect(errors(Self.uri) == [] && errors("https://a.example/cb") == [])
    #expect(errors(Self.uri, "SWT").map(\.code) == [.issuingFileValue])
    for address in [
      "https://*.a.example/cb", "https://a.example/*", "https://a.example/cb?x=*",
      "http://localhost:*/cb", "com.example.app:/*", "app.example.com:8443/cb",
    ] { #expect(errors(address).map(\.code) == [.issuingFileValue], "\(address)") }
  }
}
