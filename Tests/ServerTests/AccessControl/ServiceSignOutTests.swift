#if Server
  import AccessControl
  import Foundation
  import HTTPExchange
  import Hummingbird
  import HummingbirdTesting
  import SAML
  import SignIn
  import Synchronization
  import Testing
  import TokenBasics

  @testable import AccessControlCommand

  @Suite("Sign-outs of which the local Access Control Service tells others")
  struct ServiceSignOutTests {
    private let directory: ServiceDirectory

    init() throws { directory = try ServiceDirectory() }

    /// A browser of the service: the cookies that it was told to keep.
    private struct Visitor {
      let site: AccessControlSite
      var jar: [String: String] = [:]

      mutating func send(
        _ method: String, _ target: String, _ form: [(String, String)]? = nil,
        from referrer: String? = nil
      ) async throws -> HTTPExchange.HTTPResponse {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        let body = form?.map { FormEncoding.encode($0.0) + "=" + FormEncoding.encode($0.1) }
          .joined(separator: "&")
        var request = WebRequest(
          method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil,
          body: Array((body ?? "").utf8))
        if form != nil {
          try request.fields.append("Content-Type", "application/x-www-form-urlencoded")
        }
        if let referrer { try request.fields.append("Referer", referrer) }
        try request.fields.append(
          "Cookie", jar.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
        let response = await site.respond(to: request)
        for text in response.fields.values("Set-Cookie") {
          let pair = text.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
          jar[pair[0]] = text.contains("Max-Age=0") ? nil : pair.count > 1 ? pair[1] : ""
        }
        return response
      }
    }

    /// Signs a person in at the service provider of the file's realm, and out again.
    private func visit(_ metadata: ServiceProviderMetadata) async throws {
      try directory.write("wiki.xml", String(decoding: try metadata.document(), as: UTF8.self))
      let assembly = try ServiceAssembly(directory.folder(party: ", \"metadata\": \"wiki.xml\""))
      let issuer = assembly.file.issuer.text
      let service = try ServiceProvider(
        entityID: metadata.entityID, consumer: HTTPURL(metadata.consumer))
      let begun = try service.begin(
        at: IdentityProvider(
          entityID: issuer, signOn: [.init(.redirect, try HTTPURL(issuer + "v2/saml/sso"))]),
        at: SystemTime().now)
      var visitor = Visitor(site: assembly.site)
      let there = try await visitor.send("GET", begun.action.address.target)
      let location = try #require(there.fields["Location"], "\(there.status)")
      let page = try await visitor.send("GET", try HTTPURL(location).target)
      let text = String(decoding: page.body, as: UTF8.self)
      func field(_ name: String) throws -> (String, String) {
        let input = try Regex(
          "name=\"\(name)\" value=\"([^\"]*)\"", as: (Substring, Substring).self)
        return (name, String(try #require(text.firstMatch(of: input), "\(text)").1))
      }
      let signedIn = try await visitor.send(
        "POST", "/v2/sign-in", [field("cx"), field("token"), field("person")])
      #expect(String(decoding: signedIn.body, as: UTF8.self).contains("SAMLResponse"))
      let out = try await visitor.send(
        "GET", "/v2/wsfederation?wa=wsignout1.0", from: metadata.consumer)
      #expect(out.status == 200 || out.status == 303)
    }

    @Test(
      "A service provider with SOAP is told of a sign-out directly, without a neighbour that has a back channel, and one with Redirect is not",
      arguments: [(SAMLBinding.soap, true), (.redirect, false)])
    func told(binding: SAMLBinding, isTold: Bool) async throws {
      let told = Mutex<[String]>([])
      let router = Router()
      router.post("/slo") { request, _ -> String in
        let body = try await request.body.collect(upTo: 1 << 16)
        told.withLock { $0.append(String(buffer: body)) }
        return ""
      }
      try await Application(router: router).test(.live) { client in
        let origin = "http://127.0.0.1:\(try #require(client.port))"
        var metadata = ServiceProviderMetadata(
          entityID: "urn:wiki", consumer: origin + "/acs", logout: origin + "/slo")
        metadata.logoutBindings = [binding]
        try await visit(metadata)
      }
      let requests = told.withLock { $0 }
      #expect(requests.count == (isTold ? 1 : 0))
      #expect(requests.allSatisfy { $0.contains("LogoutRequest") })
    }
  }
#endif
