import IssuerRegistry
import Synchronization
import TestSupport
import Testing

@Suite("Metadata of entities that are no issuers, as the caller judges them")
struct JudgedMetadataTests {
  /// Serves one document, or gives no answer.
  private final class DocumentServer: HTTPTransport {
    private let document = Mutex<String?>(nil)

    func serve(_ text: String?) { document.withLock { $0 = text } }

    func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
      guard let text = document.withLock({ $0 }) else { throw TokenError(.transportNoConnection) }
      return HTTPResponse(status: 200, body: Array(text.utf8))
    }
  }

  private let time = ManualTime()
  private let server = DocumentServer()

  /// Metadata of a service provider, which has no key.
  private static func service(until end: String, protocols: String = "2.0") -> String {
    """
    <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:sp">\
    <md:SPSSODescriptor validUntil="\(end)" \
    protocolSupportEnumeration="urn:oasis:names:tc:SAML:\(protocols):protocol">\
    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" \
    Location="https://sp.example/acs" index="0"/></md:SPSSODescriptor></md:EntityDescriptor>
    """
  }

  private func registry(isJudging: Bool = true) throws -> MetadataRegistry {
    var source = MetadataSource(
      try HTTPURL("https://sp.example/metadata"), entityID: "urn:sp", proof: .server)
    if isJudging {
      source.judge = { (entity) throws(TokenError) in
        let role = entity.roles.first { $0.kind == .serviceProvider && $0.supportsSAML2 }
        guard let role else { throw TokenError(.unknownEntity) }
        return role.validUntil
      }
    }
    return MetadataRegistry(source, transport: server, clock: time, jitter: { 0 })
  }

  @Test("An entity without keys of an issuer is refused, unless the caller judges entities")
  func judged() async throws {
    let end = try Instant(dateTime: "2030-01-03T12:00:00Z")
    server.serve(Self.service(until: end.rfc3339))
    let strict = try registry(isJudging: false)
    await #expect(throws: TokenError(.registryUnavailable)) {
      try await strict.entity("urn:sp", at: time.now)
    }
    #expect(strict.health(at: time.now).first?.lastError?.code == .metadataNoKey)
    let registry = try registry()
    #expect(registry.readyEntity("urn:sp", at: time.now) == nil)
    #expect(try await registry.entity("urn:sp", at: time.now)?.entityID == "urn:sp")
    #expect(registry.readyEntity("urn:sp", at: time.now)?.entityID == "urn:sp")
    #expect(registry.readyEntity("urn:other", at: time.now) == nil)
    let health = try #require(registry.health(at: time.now).first)
    #expect(health.status == .good && health.validUntil == end)
  }

  @Test(
    "What the caller refuses, or has ended, replaces nothing: the last good entity stays to its end"
  )
  func lastGood() async throws {
    let end = try Instant(dateTime: "2030-01-03T12:00:00Z")
    server.serve(Self.service(until: "2030-01-03T12:00:00Z"))
    let registry = try registry()
    _ = try await registry.entity("urn:sp", at: time.now)
    let faults: [(String?, TokenError.Code)] = [
      (Self.service(until: "2030-01-09T12:00:00Z", protocols: "1.1"), .unknownEntity),
      (Self.service(until: "2029-12-31T12:00:00Z"), .registryDocumentExpired),
      (nil, .transportNoConnection),
    ]
    for (document, code) in faults {
      server.serve(document)
      await registry.refresh()
      let health = try #require(registry.health(at: time.now).first)
      #expect(health.status == .failing && health.lastError?.code == code, "\(code)")
      #expect(registry.readyEntity("urn:sp", at: time.now) != nil, "\(code)")
    }
    time.set(end.advanced(bySeconds: -1))
    await registry.refresh()
    #expect(registry.readyEntity("urn:sp", at: time.now) != nil)
    time.set(end)
    #expect(registry.readyEntity("urn:sp", at: time.now) == nil)
    await #expect(throws: TokenError(.registryTrustExpired)) {
      try await registry.entity("urn:sp", at: time.now)
    }
    server.serve(Self.service(until: "2030-01-09T12:00:00Z"))
    await registry.refresh()
    #expect(try await registry.entity("urn:sp", at: time.now) != nil)
  }
}
