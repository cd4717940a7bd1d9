import LocalFiles
import Synchronization
import TokenBasics

extension RogueProvider {
  /// The paths of the provider.
  package enum Path {
    package static let metadata = "/metadata"
    package static let passiveMetadata = "/FederationMetadata/2007-06/FederationMetadata.xml"
    package static let discovery = "/.well-known/openid-configuration"
    package static let certificate = "/certificate.pem"
    static let keys = "/keys"
    static let token = "/token"
    static let user = "/userinfo"
    static let signOn = "/sso"
    static let logout = "/slo"
    /// What a token may point at, and no honest one does.
    static let keysElsewhere = "/elsewhere/keys"
    static let certificateElsewhere = "/elsewhere/certificate.pem"

    /// The document from which a service knows a provider of the protocol.
    package static func document(
      of name: AttackConfiguration.SignInProtocol
    ) -> String {
      switch name {
      case .saml20: metadata
      case .wsFederation: passiveMetadata
      case .openID: discovery
      }
    }
  }

  /// Answers a request at the provider's address: of the service, or of a person's own browser, who is signed in honestly.
  package func respond(to request: WebRequest, at now: Instant) -> HTTPResponse {
    publication.withLock { $0.count(request.path) }
    let (party, path) = ProviderParty.split(request.path)
    do throws(TokenError) {
      switch (request.method, path) {
      case ("GET", Path.metadata), ("GET", Path.passiveMetadata):
        return Self.response(
          200, Self.metadataType,
          try metadata(of: party, isPassive: path == Path.passiveMetadata, at: now))
      case ("GET", Path.discovery): return Self.json(200, discovery(of: party))
      case ("GET", Path.keys): return Self.json(200, keySet(of: party))
      case ("GET", Path.keysElsewhere): return Self.json(200, keySet(.other))
      case ("GET", Path.certificate):
        return Self.response(200, Self.certificateType, certificate(party.key))
      case ("GET", Path.certificateElsewhere):
        return Self.response(200, Self.certificateType, certificate(.other))
      case ("POST", Path.token): return giveToken(request, at: party)
      case ("GET", Path.user), ("POST", Path.user): return showUser(request)
      case ("GET", Path.signOn), ("POST", Path.signOn):
        return try signIn(request, at: party, now)
      case ("GET", Path.logout), ("POST", Path.logout):
        return Self.text(200, "The provider keeps no sessions.")
      default: return Self.text(404, "Not found.")
      }
    } catch {
      return Self.text(400, "\(error)")
    }
  }

  /// The certificate of a key in PEM.
  private func certificate(_ key: ProviderKey) -> [UInt8] {
    Array(PEMText.certificate(keys.pair(key).certificate).utf8)
  }

  /// An honest answer about the person of the file, behind a button.
  private func signIn(
    _ request: WebRequest, at party: ProviderParty, _ now: Instant
  ) throws(TokenError) -> HTTPResponse {
    let asked = try SignInRequest(reading: request, configuration)
    let plan = AnswerPlan(configuration.person.subject, by: party)
    guard let made = try answer(to: asked, plan, at: now) else {
      return Self.text(500, "No answer.")
    }
    let (action, fields): (String, [(name: String, value: String)])
    let method: String
    switch made.answer {
    case .get(let url):
      (action, method) = (url.text, "get")
      // A form of GET replaces the query of its address.
      fields = (try? FormReader((url.query ?? "").utf8).fields) ?? []
    case .post(let url, let posted): (action, method, fields) = (url.text, "post", posted)
    }
    func escaped(_ text: String) -> String { MarkupEscaping.escaped(text, for: .page) }
    let inputs = fields.map {
      "<input type=\"hidden\" name=\"\(escaped($0.name))\" value=\"\(escaped($0.value))\">"
    }
    let page =
      "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>Test provider</title>"
      + "<p>A provider with test keys. Never trust it outside of a test.</p>"
      + "<form method=\"\(method)\" action=\"\(escaped(action))\">\(inputs.joined())"
      + "<button>Sign in as \(escaped(plan.subject))</button></form></html>\n"
    return Self.response(200, "text/html; charset=utf-8", Array(page.utf8))
  }

  private static let metadataType = "application/samlmetadata+xml"
  private static let certificateType = "application/x-pem-file"

  private static func text(_ status: Int, _ text: String) -> HTTPResponse {
    response(status, "text/plain; charset=utf-8", Array((text + "\n").utf8))
  }

  static func response(_ status: Int, _ type: String, _ body: [UInt8]) -> HTTPResponse {
    let fields = try? HTTPFields([
      ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ])
    return HTTPResponse(status: status, fields: fields ?? HTTPFields(), body: body)
  }
}
