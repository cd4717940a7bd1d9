import AccessControl
import FederationClient

/// Hands the requests of a client to the service, without a socket.
struct ServiceTransport: HTTPTransport {
  let service: AccessControlSite

  func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    await service.respond(
      to: WebRequest(
        method: request.method.rawValue, path: request.url.path, query: request.url.query,
        fields: request.fields, body: request.body))
  }
}

/// The endpoints for programs show no page.
struct NoPages: PageRenderer {
  func html(_ page: SitePage) -> (html: String, policy: String) { ("", "default-src 'none'") }
}

/// The token that a program gets of an Access Control Service in the same process.
///
/// - Parameter password: What the program presents; the service expects `for-testing`.
/// - Returns: The verified token, whose claims are those of the rule.
func uploaderToken(password: Secret) async throws -> AccessControlToken {
  let key = try SymmetricKey(bytes: (0..<32).map { _ in UInt8.random(in: 0...255) })
  let rule = ClaimRule(
    ClaimCondition(.service, type: .nameIdentifier, value: "uploader"),
    outputType: .role, outputValue: "writer")
  let namespace = try ServiceNamespace(
    issuer: "https://acs.example/",
    relyingParties: [RelyingParty(realm: "urn:talks", format: .swt, ruleGroups: ["programs"])],
    providers: [],
    identities: [ServiceIdentity(name: "uploader", password: Secret("for-testing"))],
    ruleGroups: [RuleGroup("programs", rules: [rule])],
    keys: NamespaceKeys(symmetric: key))
  let site = try AccessControlSite(NamespaceStore(namespace), pages: NoPages())

  let issuer = TrustedIssuer("https://acs.example/", keys: [.secret(key)])
  let client = AccessControlClient(
    try AccessControlService(base: HTTPURL("https://acs.example/"), realm: "urn:talks"),
    trust: Trust(issuers: [issuer], audiences: .oneOf(["urn:talks"])),
    transport: ServiceTransport(service: site), time: SystemTime())
  return try await client.token(.password(name: "uploader", password: password))
}
