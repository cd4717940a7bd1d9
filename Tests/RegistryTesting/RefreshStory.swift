import Foundation
public import IssuerRegistry
public import TestSupport
import Testing

/// The life of a metadata registry: every fault, one after the other, while tokens keep coming.
///
/// The same story is told over a scripted transport and over sockets.
public struct RefreshStory: Sendable {
  public let server: any MetadataServer
  public let registry: MetadataRegistry
  public let time: ManualTime

  public init(
    _ server: any MetadataServer, over transport: any HTTPTransport,
    timeout: Duration = .seconds(5), observer: any ActivityObserver = NoObserver()
  ) throws {
    self.server = server
    time = ManualTime(try Instant(dateTime: "2030-01-01T12:00:00Z"))
    registry = MetadataRegistry(
      try Self.source(server.url, timeout: timeout),
      relyingParty: Trust(issuers: [], audiences: .oneOf(["https://rp.example/saml"])),
      transport: transport, clock: time, observer: observer, jitter: { 0.5 })
  }

  public static func source(
    _ url: HTTPURL, timeout: Duration = .seconds(5)
  ) throws -> MetadataSource {
    let signer = try VerificationKey(pemOrDER: TestVector.bytes("keys/other-rsa.crt"))
    var source = MetadataSource(
      url, entityID: "https://idp.example/idp", proof: .signature([TrustedKey(signer)]))
    source.timeout = timeout
    // Less than an aggregate may have: the refusal of 200 MB does not depend on how fast they come.
    source.maximumBytes = 1 << 20
    return source
  }

  public var health: RegistryHealth {
    get throws { try #require(registry.health(at: time.now).first) }
  }

  /// A SAML 2.0 assertion, signed just now by one of the publisher's keys.
  public func token(_ keyName: String) throws -> [UInt8] {
    let material = try VerificationKey(pemOrDER: TestVector.bytes("keys/\(keyName).crt")).material
    guard case .certificate(let certificate) = material else { throw TokenError(.unreadableKey) }
    let key = try SigningKey(
      PrivateKey(pemOrDER: TestVector.bytes("keys/\(keyName).key")), certificate: certificate,
      algorithm: keyName == "idp-ec256" ? .ecdsaSHA256 : .rsaSHA256)
    let draft = TokenDraft(
      issuer: "https://idp.example/idp", audiences: ["https://rp.example/saml"],
      subject: "alice@idp.example", claims: ClaimSet([Claim(.role, "editor")]), issuedAt: time.now,
      lifetime: 300, id: "_a1")
    return try SAMLIssuer(.v2, key: key).assertion(
      draft, delivery: SAMLDelivery(recipient: "https://rp.example/acs"))
  }

  /// What a service does with a token: the code of the refusal, or nil.
  public func verdict(_ keyName: String) async throws -> String? {
    do {
      let trust: Trust
      if let ready = registry.readyTrust(at: time.now) {
        trust = ready
      } else {
        trust = try await registry.trust(at: time.now)
      }
      _ = try TokenValidator(trust).validate(
        AnyToken(reading: token(keyName)), at: time.now,
        expecting: Expectations(recipient: "https://rp.example/acs"))
      return nil
    } catch let error as TokenError {
      return error.code.rawValue
    }
  }

  /// Serves that, moves to the next refresh, and lets it happen.
  public func meet(_ served: ServedMetadata) async throws {
    try await server.serve(served)
    if let next = try health.nextRefresh { time.set(max(next, time.now)) }
    await registry.refresh()
  }

  /// From a server that is down at first to trust that has run out. Returns one line a step.
  public func tell() async throws -> [String] {
    var lines: [String] = []
    func note(_ step: ServedMetadata, _ verdict: String?) throws {
      let health = try health
      lines.append(
        "\(step): token \(verdict.map { "refused, \($0)" } ?? "verifies"); \(health.status), "
          + "failures \(health.consecutiveFailures), "
          + "\(health.lastError?.code.rawValue ?? "no error"), age \(health.age(at: time.now) ?? -1) s"
      )
    }

    // Down at the start: nobody is trusted, and the cause is named.
    try await server.serve(.down)
    #expect(registry.readyTrust(at: time.now) == nil)
    let refusal = await #expect(throws: TokenError(.registryUnavailable)) {
      try await registry.trust(at: time.now)
    }
    #expect(refusal?.found?.hasPrefix("transport.no-connection") ?? false)
    #expect(try health.status == .empty && health.consecutiveFailures == 1)
    try note(.down, try await verdict("idp-rsa"))

    try await meet(.current)
    #expect(try health.status == .good && health.consecutiveFailures == 0)
    #expect(try await verdict("idp-rsa") == nil)
    try note(.current, try await verdict("idp-rsa"))

    // Every fault in a row: good keys stay in use, and the failure shows.
    for (index, fault) in ServedMetadata.faults.enumerated() {
      try await meet(fault)
      let health = try health
      #expect(health.status == .failing, "\(fault)")
      #expect(health.lastError?.code.rawValue == fault.code, "\(fault)")
      #expect(health.consecutiveFailures == index + 1, "\(fault)")
      #expect(health.issuers == 1)
      let verdict = try await verdict("idp-rsa")
      #expect(verdict == nil, "\(fault)")
      try note(fault, verdict)
    }

    try await meet(.notModified)
    #expect(server.conditions.last == "\"current\"")
    #expect(try health.status == .good && health.lastSuccess == time.now)
    try note(.notModified, try await verdict("idp-rsa"))

    // A rollover: both keys while both are published, then the new one alone.
    #expect(try await verdict("idp-ec256") != nil)
    try await meet(.both)
    #expect(try await verdict("idp-rsa") == nil)
    #expect(try await verdict("idp-ec256") == nil)
    try note(.both, try await verdict("idp-rsa"))
    try await meet(.next)
    #expect(try await verdict("idp-rsa") == "algorithm.key-mismatch")
    #expect(try await verdict("idp-ec256") == nil)
    try note(.next, try await verdict("idp-ec256"))
    // META-14: neither the document of yesterday nor a key that was withdrawn with it comes back.
    try await meet(.current)
    #expect(try health.lastError?.code == .registryRollback)
    #expect(try await verdict("idp-rsa") == "algorithm.key-mismatch")
    #expect(try await verdict("idp-ec256") == nil)
    try note(.rollback, try await verdict("idp-ec256"))

    // Up to the last second of validUntil, and not a second longer.
    try await server.serve(.serverError)
    time.set(try Instant(dateTime: "2030-01-10T11:59:59Z"))
    #expect(try await verdict("idp-ec256") == nil)
    await registry.refresh()
    try note(.serverError, try await verdict("idp-ec256"))
    time.advance(bySeconds: 1)
    #expect(try await verdict("idp-ec256") == "registry.trust-expired")
    #expect(try health.status == .expired)
    try note(.serverError, try await verdict("idp-ec256"))
    return lines
  }
}
