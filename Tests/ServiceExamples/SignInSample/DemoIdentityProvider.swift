#if Server
  import HTTPTypes
  import Hummingbird
  import HummingbirdFederation
  import SecurityKeys
  import TokenBasics
  import XMLTree

  /// An identity provider for the sample: it signs in whoever presses its button, as `ada`. It has a key of its
  /// own, which ends with it. Never use it for anything else.
  struct DemoIdentityProvider: Sendable {
    static let address = "http://127.0.0.1:8081"
    private let key: SigningKey
    private let certificate: Certificate

    init() throws(TokenError) {
      let now = SystemTime().now
      let privateKey = try PrivateKey(generating: .rsa2048)
      certificate = try Certificate(
        selfSigning: privateKey, name: "demo", notBefore: now.advanced(bySeconds: -60),
        notAfter: now.advanced(bySeconds: 86_400))
      key = try SigningKey(privateKey, certificate: certificate)
    }

    /// Its metadata, by which the service trusts it.
    func metadata() throws(TokenError) -> [UInt8] {
      try IdentityProviderMetadata(
        entityID: Self.address, certificates: [certificate], signOn: Self.address + "/sso"
      ).document()
    }

    func run() async throws {
      let router = Router(context: BasicRequestContext.self)
      router.get("sso") { request, _ in try response(to: request) }
      try await Application(
        router: router, configuration: .init(address: .hostname("127.0.0.1", port: 8081))
      ).runService()
    }

    /// A page with a button that posts the answer.
    private func response(to request: Request) throws -> Response {
      let message = try RedirectMessage(query: request.uri.query ?? "")
      let root = try Document(parsing: message.octets).root
      let consumer = root.attribute(ExpandedName("AssertionConsumerServiceURL")) ?? ""
      // A button must not lead anywhere but to the sample.
      guard message.isRequest, consumer.hasPrefix(SampleService.address + "/") else {
        throw HTTPError(.badRequest)
      }
      let issuer = try root.children().first { $0.localName == "Issuer" }?.text() ?? ""
      let draft = TokenDraft(
        issuer: Self.address, audiences: [issuer], subject: "ada", issuedAt: SystemTime().now)
      let answer = try SAMLIssuer(.v2, key: key).response(
        draft,
        delivery: SAMLDelivery(
          recipient: consumer, inResponseTo: root.attribute(ExpandedName("ID"))))
      let fields = [
        (name: "SAMLResponse", value: Base64.encode(answer)),
        (name: "RelayState", value: message.relayState ?? ""),
      ]
      let (html, policy) = MustachePages(title: "Demo identity provider")
        .html(.form(try HTTPURL(consumer), fields: fields))
      var headers = HTTPTypes.HTTPFields()
      headers[.contentType] = "text/html; charset=utf-8"
      // Without the script, so that a person presses the button.
      headers[.contentSecurityPolicy] = policy.prefix { $0 != ";" } + "; style-src 'unsafe-inline'"
      return Response(
        status: .ok, headers: headers,
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: Array(html.utf8))))
    }
  }
#endif
