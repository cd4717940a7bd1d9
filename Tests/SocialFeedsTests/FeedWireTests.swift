import ClientScript
import FederationClient
import HTTPExchange
import SecurityKeys
import SocialFeeds
import TestSupport
import Testing
import TokenBasics

/// The requests to each service, checked like on a strict server.
@Suite("Posts on the wire")
struct FeedWireTests {
  private static let text = "I'll be at \"Swift Days\" & more + #1"

  private static func json(_ request: HTTPRequest) throws -> JSONValue {
    try JSONParser.parse(request.body)
  }

  @Test("S3 A page feed of Facebook gets a form with the proof of the app secret")
  func facebook() async throws {
    let server = ScriptedServer(.json(#"{"id":"100004711_555"}"#))
    let post = FeedPost(
      Self.text, link: .init(try HTTPURL("https://talks.example.org/e/7?a=1&b=2")))
    let receipt = try await FeedFixtures.feed(FeedFixtures.facebook(), server).post(post)
    #expect(receipt.id == "100004711_555")
    let request = try #require(server.requests.first)
    #expect(server.requests.count == 1)
    #expect(request.method == .post)
    #expect(request.url.text == "https://graph.example.org/v99.0/100004711/feed")
    #expect(request.fields["Authorization"] == "Bearer " + FeedFixtures.token)
    #expect(request.fields["Content-Type"] == "application/x-www-form-urlencoded")
    let form = request.form
    #expect(form["message"] == Self.text)
    #expect(form["link"] == "https://talks.example.org/e/7?a=1&b=2")
    #expect(form["published"] == "true")
    #expect(form["appsecret_proof"]?.count == 64)
  }

  @Test("S3 The proof of the app secret is the one of the vendor's own library (TV-9)")
  func proof() async throws {
    let page = try FacebookPage(
      graph: HTTPURL("https://graph.example.org"), version: "v99.0", page: "1",
      accessToken: Secret("USER-TOKEN-FOR-DOCS"),
      appSecret: .init(bytes: Array("app-secret-for-docs".utf8)))
    let server = ScriptedServer(.json(#"{"id":"1_2"}"#))
    _ = try await FeedFixtures.feed(page, server).post(FeedPost("x"))
    #expect(
      server.requests.first?.form["appsecret_proof"]
        == "e0be83d97e16207fd6dca2ff8d88c74b33acc6242f3f4c6f4caa278deda25282")
  }

  @Test("S3 The historical wall gets its message whole and its token outside the address (RP-1)")
  func wall() async throws {
    let server = ScriptedServer(.json(#"{"id":"100004711_555000111"}"#))
    _ = try await FeedFixtures.feed(FeedFixtures.wall(), server).post(FeedPost(Self.text))
    let request = try #require(server.requests.first)
    #expect(request.url.text == "https://graph.example.org/me/feed")
    #expect(request.form == ["access_token": FeedFixtures.token, "message": Self.text])
  }

  @Test("S3 X gets JSON; an id stays text")
  func x() async throws {
    let server = ScriptedServer(
      .json(#"{"data":{"id":"1900000000000000000","text":"…"}}"#, status: 201))
    let receipt = try await FeedFixtures.feed(FeedFixtures.x(), server).post(FeedPost(Self.text))
    #expect(receipt.id == "1900000000000000000")
    let request = try #require(server.requests.first)
    #expect(request.url.text == "https://api.example.org/2/tweets")
    #expect(request.fields["Content-Type"] == "application/json")
    #expect(try Self.json(request)["text"]?.string == Self.text)
  }

  @Test("S3 LinkedIn gets its version, its protocol and escaped text; the id is in a field")
  func linkedIn() async throws {
    let server = ScriptedServer(.answer(201, [("x-restli-id", "urn:li:share:7")]))
    let post = FeedPost(
      "See (you)", link: .init(try HTTPURL("https://talks.example.org/7"), title: "Talk"))
    let receipt = try await FeedFixtures.feed(FeedFixtures.linkedIn(), server).post(post)
    #expect(receipt.id == "urn:li:share:7")
    let request = try #require(server.requests.first)
    #expect(request.url.text == "https://linked.example.org/rest/posts")
    #expect(request.fields["LinkedIn-Version"] == "209901")
    #expect(request.fields["X-Restli-Protocol-Version"] == "2.0.0")
    let json = try Self.json(request)
    #expect(json["author"]?.string == "urn:li:person:AbC123")
    #expect(json["commentary"]?.string == #"See \(you\)"#)
    #expect(json["lifecycleState"]?.string == "PUBLISHED")
    #expect(json["distribution"]?["feedDistribution"]?.string == "MAIN_FEED")
    #expect(
      json["content"]?["article"]?["source"]?.string == "https://talks.example.org/7")
  }

  @Test("S3 Mastodon gets a form with an idempotency key")
  func mastodon() async throws {
    let server = ScriptedServer(
      .json(#"{"id":"110","url":"https://social.example.org/@mia/110"}"#))
    let post = FeedPost(Self.text, language: "en")
    let receipt = try await FeedFixtures.feed(FeedFixtures.mastodon(), server).post(post)
    #expect(receipt.address == "https://social.example.org/@mia/110")
    let request = try #require(server.requests.first)
    #expect(request.url.text == "https://social.example.org/api/v1/statuses")
    #expect(request.fields["Idempotency-Key"] == String(repeating: "ab", count: 16))
    #expect(
      request.form == ["status": Self.text, "visibility": "unlisted", "language": "en"])
  }

  @Test("S3 Bluesky gets a record with its own name, time and facets")
  func bluesky() async throws {
    let server = ScriptedServer(
      .json(#"{"uri":"at://did:plc:abc/app.bsky.feed.post/3k","cid":"bafy"}"#))
    let post = FeedPost("See", link: .init(try HTTPURL("https://talks.example.org/7")))
    let receipt = try await FeedFixtures.feed(FeedFixtures.bluesky(), server).post(post)
    #expect(receipt.id == "at://did:plc:abc/app.bsky.feed.post/3k")
    let request = try #require(server.requests.first)
    #expect(request.url.text == "https://pds.example.org/xrpc/com.atproto.repo.createRecord")
    let json = try Self.json(request)
    #expect(json["repo"]?.string == "did:plc:abc")
    #expect(json["collection"]?.string == "app.bsky.feed.post")
    #expect(json["rkey"]?.string?.utf8.count == 13)
    let record = try #require(json["record"])
    #expect(record["$type"]?.string == "app.bsky.feed.post")
    #expect(record["createdAt"]?.string == "2030-01-01T12:00:00.000Z")
    let index = record["facets"]?.array?.first?["index"]
    #expect(index?["byteStart"]?.integer == 4)
    #expect(index?["byteEnd"]?.integer == 31)
  }

  @Test("S3 Bluesky is asked whose a handle is; one that is nobody's stays text")
  func mentions() async throws {
    let server = ScriptedServer { request, _ in
      guard request.url.path.hasSuffix("resolveHandle") else {
        return .json(#"{"uri":"at://did:plc:abc/app.bsky.feed.post/3k","cid":"bafy"}"#)
      }
      return request.url.query == "handle=ada.bsky.social"
        ? .json(#"{"did":"did:plc:ada"}"#)
        : .json(#"{"error":"InvalidRequest","message":"Unable to resolve handle"}"#, status: 400)
    }
    let post = FeedPost("Hi @Ada.bsky.social and @nobody.example.org")
    _ = try await FeedFixtures.feed(FeedFixtures.bluesky(), server).post(post)
    #expect(server.requests.count == 3)
    let record = try Self.json(try #require(server.requests.last))["record"]
    #expect(record?["facets"]?.array?.count == 1)
    let feature = record?["facets"]?.array?.first?["features"]?.array?.first
    #expect(feature?["did"]?.string == "did:plc:ada")
    #expect(feature?["$type"]?.string == "app.bsky.richtext.facet#mention")
  }

  @Test("S3 An image is uploaded first and referenced in the post")
  func images() async throws {
    let post = FeedPost("See", image: FeedFixtures.image)
    func paths(_ service: any FeedService, _ answers: [HTTPResponse]) async throws -> [String] {
      let server = ScriptedServer { _, number in answers[min(number, answers.count - 1)] }
      _ = try await FeedFixtures.feed(service, server).post(post)
      return server.requests.map { $0.method.rawValue + " " + $0.url.target }
    }
    let id = HTTPResponse.json(#"{"id":"77"}"#)
    #expect(
      try await paths(FeedFixtures.facebook(), [id])
        == ["POST /v99.0/100004711/photos", "POST /v99.0/100004711/feed"])
    #expect(
      try await paths(FeedFixtures.x(), [.json(#"{"data":{"id":"77"}}"#)])
        == ["POST /2/media/upload", "POST /2/media/metadata", "POST /2/tweets"])
    #expect(
      try await paths(
        FeedFixtures.mastodon(),
        [.json(#"{"id":"77"}"#, status: 202), .json(#"{"id":"77"}"#, status: 206), id])
        == [
          "POST /api/v2/media", "GET /api/v1/media/77", "GET /api/v1/media/77",
          "POST /api/v1/statuses",
        ])
    let blob = #"{"$type":"blob","ref":{"$link":"bafk"},"mimeType":"image/png","size":11}"#
    #expect(
      try await paths(FeedFixtures.bluesky(), [.json(#"{"blob":\#(blob),"uri":"at://x"}"#)])
        == [
          "POST /xrpc/com.atproto.repo.uploadBlob", "POST /xrpc/com.atproto.repo.createRecord",
        ])
  }

  @Test(
    "An upload address on loopback is accepted only if the service itself is on loopback",
    arguments: [
      "http://127.0.0.1:8080/u", "http://localhost/u", "http://[::1]:8080/u",
      "https://127.0.0.1:8080/u", "https://localhost/u",
    ])
  func uploadToLoopback(address: String) async throws {
    func requests(_ api: String) async throws -> [HTTPRequest] {
      let server = ScriptedServer { request, _ in
        request.url.path == "/rest/images"
          ? .json(#"{"value":{"uploadUrl":"\#(address)","image":"urn:li:image:1"}}"#)
          : .answer(201, [("x-restli-id", "urn:li:share:7")])
      }
      let service = LinkedIn(
        api: try HTTPURL(api), version: "202606", author: "urn:li:person:AbC123",
        accessToken: Secret(FeedFixtures.token))
      _ = try? await FeedFixtures.feed(service, server).post(
        FeedPost("See", image: FeedFixtures.image))
      return server.requests
    }
    #expect(try await requests("https://api.linkedin.com/").map(\.url.path) == ["/rest/images"])
    #expect(try await requests("http://127.0.0.1:9090/").contains { $0.url.path == "/u" })
  }

  @Test("RP-2 The upload address of another host gets the image but not the token")
  func uploadElsewhere() async throws {
    let server = ScriptedServer { request, _ in
      switch request.url.path {
      case "/rest/images":
        .json(
          #"{"value":{"uploadUrl":"https://elsewhere.example.net/u?sig=1","image":"urn:li:image:1"}}"#
        )
      case "/u": .answer(201)
      default: .answer(201, [("x-restli-id", "urn:li:share:7")])
      }
    }
    let post = FeedPost("See", image: FeedFixtures.image)
    _ = try await FeedFixtures.feed(FeedFixtures.linkedIn(), server).post(post)
    let upload = try #require(server.requests.first { $0.url.path == "/u" })
    #expect(upload.method == .put)
    #expect(upload.fields["Authorization"] == nil)
    #expect(upload.body == FeedFixtures.image?.bytes)
    let publication = try #require(server.requests.last)
    #expect(
      try Self.json(publication)["content"]?["media"]?["id"]?.string == "urn:li:image:1")
  }
}
