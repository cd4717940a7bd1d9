import Foundation
import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

@Suite("The addresses of a site, and the methods that they have")
struct RouteTests {
  private let site: SignInSite

  init() throws {
    site = try SignInSiteTests.site(
      [try IdentityProviderSimulator()], ManualTime(), MemorySessionStore())
  }

  @Test(
    "Another method gets 405, and Allow says which there are",
    arguments: [
      ("POST", "/sign-in", "GET"), ("DELETE", "/sign-out", "GET, POST"),
      ("PUT", "/saml/acs", "POST, GET"), ("HEAD", "/saml/slo", "GET, POST"),
      ("POST", "/saml/metadata", "GET"), ("POST", "/claims", "GET"), ("POST", "/discovery", "GET"),
      ("POST", "/finished", "GET"), ("get", "/sign-in", "GET"),
    ])
  func otherMethod(method: String, path: String, allowed: String) async throws {
    let response = await site.respond(to: WebRequest(method: method, path: path))
    #expect(response.status == 405 && response.fields["Allow"] == allowed)
  }

  @Test("A method that the path has gets another answer")
  func ownMethod() async throws {
    for path in ["/saml/metadata", "/sign-out"] {
      let response = await site.respond(to: WebRequest(method: "GET", path: path))
      #expect(response.status == 200 && response.fields["Allow"] == nil)
    }
  }

  @Test(
    "A path that there is not gets 404, whatever the method; nor is there one of a protocol without a provider",
    arguments: [
      "/", "/nothing", "/saml", "/saml/acs/", "/SAML/acs", "/wsfed", "/openid/p0/callback",
    ])
  func nothing(path: String) async throws {
    for method in ["GET", "POST", "DELETE"] {
      let response = await site.respond(to: WebRequest(method: method, path: path))
      #expect(response.status == 404 && response.fields["Allow"] == nil)
    }
    // A browser gets a page, a program a line.
    for (accepted, type) in [("text/html", "text/html"), ("application/json", "text/plain")] {
      let response = await site.respond(
        to: WebRequest(method: "GET", path: path, fields: try HTTPFields([("Accept", accepted)])))
      #expect(response.fields["Content-Type"]?.hasPrefix(type) == true, "\(accepted)")
    }
  }
}
