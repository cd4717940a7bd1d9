import Foundation
import GateService
import IdentityProviderTesting
import Testing

/// Pages of which a test reads no more than the code of what is refused.
struct NoPages: PageRenderer {
  func html(_ page: SitePage) -> (html: String, policy: String) {
    switch page {
    case .content(let content): (content.details?.code ?? "page", "")
    case .forbidden(let forbidden): (forbidden.code, "")
    default: ("page", "")
    }
  }
}

extension IdentityProviderSimulator {
  /// The site of a gate at `https://app.example` that trusts this provider, as `id`, and others beside it.
  func site(
    _ settings: SiteSettings? = nil, id: String = "idp",
    beside others: [IdentityProviderSimulator] = [], pages: any PageRenderer = NoPages(),
    sessions: any SessionStore = MemorySessionStore(), clock: any TimeSource,
    observer: any ActivityObserver = NoObserver()
  ) throws -> SignInSite {
    let service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: HTTPURL("https://app.example/saml/acs"),
      signingKeys: [key])
    let usual = try SiteSettings(
      origin: HTTPURL("https://app.example/").origin, prefix: "/.gate/")
    func provider(_ id: String, _ simulator: IdentityProviderSimulator) -> SignInProvider {
      SignInProvider(
        id: id, name: id.capitalized, .saml(service, .fixed(simulator.provider)),
        registry: StaticRegistry(Trust(issuers: [simulator.trusted], audiences: .oneOf([]))))
    }
    return try SignInSite(
      settings ?? usual,
      providers: [provider(id, self)]
        + others.enumerated().map { provider("other-\($0 + 1)", $1) }, pages: pages,
      sessions: sessions, clock: clock, observer: observer)
  }

  /// The gate's answer to that of this provider to a sign-in that it began; `answer` is that for the identifier of its
  /// request.
  ///
  /// - Parameter fields: What the proxy says of the request.
  func finish(
    _ begun: HTTPResponse, at gate: Gate, fields: [(String, String)] = [],
    _ answer: (String) -> Answer
  ) async throws -> HTTPResponse {
    let pending = try #require(
      begun.fields.values("Set-Cookie").first { $0.hasPrefix("__Host-signin-") })
    let location = try #require(begun.fields["Location"])
    let request = "_" + String(try #require(location.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1)
    return await gate.respond(
      to: WebRequest(
        method: "POST", path: "/.gate/saml/acs",
        fields: try HTTPFields(
          [
            ("Cookie", String(pending.prefix { $0 != ";" })),
            ("Content-Type", "application/x-www-form-urlencoded"),
          ] + fields), body: try message(answer(request)).body), from: "127.0.0.1")
  }
}

extension HTTPResponse {
  /// The cookie of the session that the answer opens.
  func sessionCookie() throws -> String {
    let session = try #require(
      fields.values("Set-Cookie").first { $0.hasPrefix("__Host-session=") })
    return String(session.prefix { $0 != ";" })
  }
}
