@testable import IssuerRegistry
import RegistryTesting
import TestSupport
import Testing

@Suite("Responses of a metadata server")
struct MetadataAnswerTests {
  let now = Instant(secondsSinceEpoch: 1_893_499_200)

  func source(_ proof: MetadataProof? = nil) throws -> MetadataSource {
    let url = try HTTPURL("https://idp.example/metadata")
    guard let proof else { return try RefreshStory.source(url) }
    return MetadataSource(url, entityID: "https://idp.example/idp", proof: proof)
  }

  func judge(
    _ response: HTTPResponse, _ source: MetadataSource, current: AcceptedMetadata? = nil
  ) throws(TokenError) -> AcceptedMetadata? {
    try MetadataAnswer(source: source, current: current).accepted(from: response, at: now)
  }

  func ok(_ body: [UInt8], _ fields: [(String, String)] = []) throws -> HTTPResponse {
    HTTPResponse(status: 200, fields: try HTTPFields(fields), body: body)
  }

  func published(_ name: String) -> [UInt8] {
    TestVector.bytes("metadata/published-\(name).xml")
  }

  @Test("Valid metadata has issuers, expiry and cache duration")
  func good() throws {
    let metadata = try #require(
      try judge(ok(published("both"), [("ETag", "\"a\"")]), source()))
    #expect(metadata.issuers.map(\.name) == [.exactly("https://idp.example/idp")])
    #expect(metadata.issuers[0].keys.count == 2)
    #expect(metadata.validUntil == (try Instant(dateTime: "2030-01-09T12:00:00Z")))
    #expect(metadata.cacheSeconds == 3600)
    #expect(metadata.entityTag == "\"a\"")
  }

  @Test(
    "A 304 to an unconditional request, and any other status, is rejected",
    arguments: [100, 201, 204, 206, 304, 400, 401, 403, 404, 410, 429, 500, 503, 0, -1])
  func statuses(status: Int) throws {
    #expect(throws: TokenError(.transportStatus)) {
      try judge(HTTPResponse(status: status, body: published("current")), source())
    }
  }

  @Test("An HTML page in place of metadata is called one, and other text is not")
  func page() throws {
    let page = Array("<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>".utf8)
    #expect(throws: TokenError(.htmlPage)) { try judge(ok(page), source()) }
    #expect(throws: TokenError(.doctype)) {
      try judge(ok(Array("<!DOCTYPE a><EntityDescriptor/>".utf8)), source())
    }
    #expect(throws: TokenError(.htmlPage)) {
      try FetchedDocument.keySet(page, from: "https://idp.example/keys")
    }
    #expect(throws: TokenError(.malformedJSON)) {
      try FetchedDocument.keySet(Array("{".utf8), from: "https://idp.example/keys")
    }
  }

  @Test("Every redirect is refused (RP-2)", arguments: [300, 301, 302, 303, 307, 308])
  func redirects(status: Int) throws {
    #expect(throws: TokenError(.transportRedirect)) {
      try judge(HTTPResponse(status: status, body: published("current")), source())
    }
  }

  @Test(
    "A malformed validator is not stored",
    arguments: [
      ("\"a\"", true), ("W/\"a\"", true), ("a", false), ("\"\"", false), ("\"", false),
      ("w/\"a\"", false), ("\"" + String(repeating: "a", count: 300) + "\"", false),
    ])
  func entityTags(tag: String, isKept: Bool) throws {
    let metadata = try judge(ok(published("current"), [("ETag", tag)]), source())
    #expect((metadata?.entityTag == tag) == isKept)
  }

  @Test("A Content-Length other than the body's is rejected (META-13)")
  func lengths() throws {
    let body = published("current")
    #expect(throws: TokenError(.transportMalformedResponse)) {
      try judge(ok(body, [("Content-Length", "\(body.count + 1)")]), source())
    }
    #expect(try judge(ok(body, [("Content-Length", "\(body.count)")]), source()) != nil)
    #expect(try judge(ok(body, [("Content-Encoding", "identity")]), source()) != nil)
    #expect(throws: TokenError(.registryContentEncoding)) {
      try judge(ok(body, [("Content-Encoding", "identity"), ("Content-Encoding", "br")]), source())
    }
  }

  @Test("A body above the limit is rejected even if the transport passed it (DOS-24)")
  func size() throws {
    var source = try source()
    source.maximumBytes = published("current").count
    #expect(try judge(ok(published("current")), source) != nil)
    source.maximumBytes -= 1
    #expect(throws: TokenError(.transportTooLarge)) {
      try judge(ok(published("current")), source)
    }
  }

  @Test("Without a signature TLS authenticates metadata; all other checks apply (META-1)")
  func unsigned() throws {
    let plain = TestVector.bytes("metadata/valid-until.xml")
    #expect(try judge(ok(plain), source(.server)) != nil)
    #expect(throws: TokenError(.signatureMissing)) { try judge(ok(plain), source()) }
    #expect(throws: TokenError.self) { try judge(ok(plain), source(.signature([]))) }
    #expect(throws: TokenError(.registryEntityMismatch)) {
      try judge(ok(published("other-entity")), source(.server))
    }
    #expect(throws: TokenError(.metadataEntityID)) {
      try judge(ok(TestVector.bytes("metadata/no-entity-id.xml")), source(.server))
    }
    #expect(throws: TokenError(.metadataNoKey)) {
      try judge(ok(TestVector.bytes("metadata/use-encryption.xml")), source(.server))
    }
    #expect(throws: TokenError(.registryDocumentExpired)) {
      try judge(ok(TestVector.bytes("metadata/expired-role.xml")), source(.server))
    }
  }

  @Test(
    "A document that was made before the one in use does not replace it (META-14)",
    arguments: ["current", "older", "older-longer"])
  func rollback(name: String) throws {
    let current = try judge(ok(published("both")), source())
    #expect(throws: TokenError(.registryRollback)) {
      try judge(ok(published(name)), source(), current: current)
    }
    #expect(try judge(ok(published(name)), source()) != nil)
  }

  @Test(
    "A document that was not made earlier replaces the one in use, whatever its expiry (META-14)",
    arguments: [
      ("both", "both", 2), ("both", "next", 1), ("both", "shorter", 1), ("next", "shorter", 1),
      ("undated", "undated-shorter", 1), ("both", "undated-shorter", 1),
      ("undated-shorter", "current", 1),
    ])
  func revocation(before: String, after: String, keys: Int) throws {
    let current = try judge(ok(published(before)), source())
    let next = try judge(ok(published(after)), source(), current: current)
    #expect(next?.issuers.flatMap(\.keys).count == keys)
  }

  @Test("A server without signatures may drop the expiry of its metadata (META-14)")
  func endless() throws {
    let current = try judge(ok(published("both")), source(.server))
    let endless = TestVector.bytes("metadata/entity.xml")
    #expect(try judge(ok(endless), source(.server), current: current) != nil)
    #expect(throws: TokenError(.registryRollback)) {
      try judge(ok(published("older")), source(.server), current: current)
    }
  }

  @Test("An entity dropped from an aggregate is removed, even with the last expiry (META-14)")
  func dropped() throws {
    let signer = try VerificationKey(pemOrDER: TestVector.bytes("keys/other-rsa.crt"))
    for proof in [MetadataProof.signature([TrustedKey(signer)]), .server] {
      let source = MetadataSource(
        aggregateAt: try HTTPURL("https://federation.example/"), entityIDs: nil, proof: proof)
      let current = try judge(ok(published("group")), source)
      #expect(current?.issuers.count == 2)
      let next = try judge(ok(published("group-without")), source, current: current)
      #expect(next?.issuers.map(\.name) == [.exactly("https://other.example/idp")])
      // And the earlier document does not restore it.
      #expect(throws: TokenError(.registryRollback)) {
        try judge(ok(published("group")), source, current: next)
      }
    }
  }

  @Test("Of an aggregate, the wanted entities are trusted; without a list, all")
  func aggregate() throws {
    let url = try HTTPURL("https://federation.example/")
    let group = try ok(TestVector.bytes("metadata/group.xml"))
    let names = ["https://other.example/idp", "https://gone.example/"]
    let some = try judge(group, MetadataSource(aggregateAt: url, entityIDs: names, proof: .server))
    #expect(some?.issuers.map(\.name) == [.exactly("https://other.example/idp")])
    let all = try judge(group, MetadataSource(aggregateAt: url, entityIDs: nil, proof: .server))
    #expect(all?.issuers.count == 2)
    #expect(throws: TokenError(.registryEntityMismatch)) {
      try judge(group, MetadataSource(aggregateAt: url, entityIDs: [], proof: .server))
    }
  }
}
