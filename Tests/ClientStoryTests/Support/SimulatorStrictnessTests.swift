import AccessControlCore
import Federation
import HTTPExchange
import SecrecyTesting
import SimulatedService
import Simulators
import TestSupport
import Testing

/// A simulator that accepted everything would prove nothing.
@Suite("The simulators refuse what their protocols do not allow")
struct SimulatorStrictnessTests {
  func request(
    _ method: String, _ path: String, query: String? = nil, _ fields: [(String, String)] = [],
    _ body: String = ""
  ) throws -> ServerRequest {
    ServerRequest(
      method: method, path: path, query: query, fields: try HTTPFields(fields),
      body: Array(body.utf8))
  }

  let form = ("Content-Type", "application/x-www-form-urlencoded")
  let json = ("Content-Type", "application/json")
  let bearer = ("Authorization", "Bearer token-1234")

  func board() -> FeedBoard {
    let time = ManualTime()
    let board = FeedBoard(time: time)
    board.allow("token-1234", until: time.now.advanced(bySeconds: 60))
    return board
  }

  @Test("Access Control Service requires its content type, its parameters and secrets in the body")
  func accessControl() throws {
    let core = AccessControlCore(
      AccessControlNamespace(
        base: try HTTPURL("http://127.0.0.1:1/"),
        relyingParties: [.init(realm: "uri:r", format: .swt)],
        identities: [
          .init(
            name: "uploader", password: "password",
            key: try SymmetricKey(bytes: Array(0...31)), claims: [])
        ], symmetricKey: try SymmetricKey(bytes: Array(0...31)), signingKey: nil),
      time: ManualTime())
    let body = "wrap_name=uploader&wrap_password=password&wrap_scope=uri%3Ar"
    #expect(try core.answer(request("POST", "/WRAPv0.9", [form], body)).status == 200)
    for bad in [
      try request("POST", "/WRAPv0.9", [json], body),
      try request("POST", "/WRAPv0.9", query: body, [form], body),
      try request("POST", "/WRAPv0.9", [form], body + "&wrap_name=other"),
      try request("POST", "/WRAPv0.9", [form], body + "&extra=1"),
      try request("POST", "/WRAPv0.9", [form], body.replacing("uri%3Ar", with: "uri:r")),
      try request("GET", "/WRAPv0.9"),
      try request(
        "GET", "/v2/metadata/IdentityProviders.js", query: "protocol=wsfederation&realm=uri%3Ar"),
    ] {
      expect(throws: Refusal.self) { try core.answer(bad) }
    }
  }

  /// A form with one file, as a correct client sends it.
  static func multipart(
    _ fields: [(String, String)], _ file: String, type: String = "image/png",
    _ octets: String = gif, boundary: String = "0123456789abcdef"
  ) -> String {
    let values = fields.map {
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n"
    }
    return values.joined()
      + "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(file)\"; "
      + "filename=\"a.png\"\r\nContent-Type: \(type)\r\n\r\n\(octets)\r\n--\(boundary)--\r\n"
  }

  /// An image as text, for requests that are written as text here.
  static let gif = "GIF89a"

  @Test("Feeds require images uploaded first, in their own content types, whole and once")
  func images() throws {
    let board = board()
    let facebook = FacebookServer(board, version: "v23.0", page: "4711")
    let mastodon = MastodonServer(board)
    let linkedIn = LinkedInServer(board, version: "202601", author: "urn:li:person:A")
    let bluesky = BlueskyServer(board, appPassword: "password")
    let x = XServer(board)
    let parts = ("Content-Type", "multipart/form-data; boundary=0123456789abcdef")
    let gif = ("Content-Type", "image/gif")
    let photo = Self.multipart([("published", "false")], "source", type: "image/gif", Self.gif)
    let media = Self.multipart([], "file", type: "image/gif", Self.gif)
    #expect(
      try facebook.answer(request("POST", "/v23.0/4711/photos", [parts, bearer], photo)).status
        == 200)
    #expect(
      try mastodon.answer(request("POST", "/api/v2/media", [parts, bearer], media)).status == 200)
    #expect(
      try bluesky.answer(
        request("POST", "/xrpc/com.atproto.repo.uploadBlob", [gif, bearer], Self.gif)
      ).status == 200)
    let announced = [
      json, bearer, ("LinkedIn-Version", "202601"), ("X-Restli-Protocol-Version", "2.0.0"),
    ]
    let owner = #"{"initializeUploadRequest":{"owner":"urn:li:person:A"}}"#
    #expect(
      try linkedIn.answer(
        request("POST", "/rest/images", query: "action=initializeUpload", announced, owner)
      ).status == 200)
    // The fourth image of the board.
    let upload = try request("PUT", "/dms-uploads/4004", [gif, bearer], Self.gif)
    #expect(try linkedIn.answer(upload).status == 201)
    let bad: [(any Simulator, ServerRequest)] = [
      (facebook, try request("POST", "/v23.0/4711/photos", [form, bearer], "published=false")),
      (facebook, try request("POST", "/v23.0/4711/photos", [parts], photo)),
      (
        facebook,
        try request(
          "POST", "/v23.0/4711/photos", [parts, bearer],
          photo.replacing("\r\n\r\nfalse", with: "\r\n\r\ntrue"))
      ),
      (
        facebook,
        try request("POST", "/v23.0/4711/photos", [parts, bearer], String(photo.dropLast(4)))
      ),
      (mastodon, try request("POST", "/api/v2/media", [gif, bearer], Self.gif)),
      (mastodon, try request("POST", "/api/v2/media", [parts, bearer], "x" + media)),
      (bluesky, try request("POST", "/xrpc/com.atproto.repo.uploadBlob", [parts, bearer], media)),
      (bluesky, try request("POST", "/xrpc/com.atproto.repo.uploadBlob", [json, bearer], "{}")),
      // An upload happens once, and after its announcement.
      (linkedIn, upload),
      (linkedIn, try request("PUT", "/dms-uploads/4999", [gif, bearer], Self.gif)),
      (linkedIn, try request("PUT", "/dms-uploads/4999", [json, bearer], Self.gif)),
      (
        x,
        try request(
          "POST", "/2/media/upload", [parts, bearer],
          Self.multipart(
            [("media_category", "tweet_gif")], "media", type: "image/gif", Self.gif))
      ),
      (x, try request("POST", "/2/media/metadata", [json, bearer], #"{"id":"4001"}"#)),
    ]
    for (service, request) in bad {
      expect(throws: Refusal.self) { try service.answer(request) }
    }
    // A post cannot contain an image that was not uploaded, or whose octets are missing.
    #expect(
      try linkedIn.answer(
        request("POST", "/rest/images", query: "action=initializeUpload", announced, owner)
      ).status == 200)
    let post =
      #"{"author":"urn:li:person:A","commentary":"a","visibility":"PUBLIC","distribution":{"feedDistribution":"MAIN_FEED","targetEntities":[],"thirdPartyDistributionChannels":[]},"content":{"media":{"id":"urn:li:image:4005"}},"lifecycleState":"PUBLISHED","isReshareDisabledByAuthor":false}"#
    let early: [(any Simulator, ServerRequest, Int)] = [
      (
        facebook,
        try request(
          "POST", "/v23.0/4711/feed", [form, bearer],
          "message=a&attached_media%5B0%5D=%7B%22media_fbid%22%3A%224999%22%7D"), 400
      ),
      (
        mastodon,
        try request(
          "POST", "/api/v1/statuses",
          [form, bearer, ("Idempotency-Key", "0123456789abcdef")],
          "status=a&visibility=public&media_ids%5B%5D=4999"), 422
      ),
      (linkedIn, try request("POST", "/rest/posts", announced, post), 422),
      (
        x,
        try request(
          "POST", "/2/tweets", [json, bearer], #"{"text":"a","media":{"media_ids":["4999"]}}"#),
        400
      ),
    ]
    for (service, request, status) in early {
      #expect(try service.answer(request).status == status)
    }
    #expect(board.posts == [])
  }

  @Test("Feeds require their header fields, their escapes and no token in an address")
  func feeds() throws {
    let mastodon = MastodonServer(board())
    let key = ("Idempotency-Key", "0123456789abcdef")
    let status = "status=hello&visibility=public"
    #expect(
      try mastodon.answer(request("POST", "/api/v1/statuses", [form, bearer, key], status)).status
        == 200)
    let linkedIn = LinkedInServer(board(), version: "202601", author: "urn:li:person:A")
    let version = ("LinkedIn-Version", "202601")
    let protocolVersion = ("X-Restli-Protocol-Version", "2.0.0")
    let post = { (text: String) in
      #"{"author":"urn:li:person:A","commentary":"\#(text)","visibility":"PUBLIC","distribution":{"feedDistribution":"MAIN_FEED","targetEntities":[],"thirdPartyDistributionChannels":[]},"lifecycleState":"PUBLISHED","isReshareDisabledByAuthor":false}"#
    }
    let fields = [json, bearer, version, protocolVersion]
    #expect(
      try linkedIn.answer(request("POST", "/rest/posts", fields, post("a \\\\(b\\\\)"))).status
        == 201)
    let x = XServer(board())
    #expect(
      try x.answer(request("POST", "/2/tweets", [json, bearer], #"{"text":"a"}"#)).status == 201)
    let bad: [(any Simulator, ServerRequest)] = [
      (mastodon, try request("POST", "/api/v1/statuses", [form, bearer], status)),
      (mastodon, try request("POST", "/api/v1/statuses", [form, key], status)),
      (mastodon, try request("POST", "/api/v1/statuses", [json, bearer, key], status)),
      (mastodon, try request("POST", "/api/v1/statuses", [form, bearer, key], "status=a b")),
      (
        mastodon,
        try request(
          "POST", "/api/v1/statuses", query: "access_token=token-1234", [form, bearer, key], status)
      ),
      (linkedIn, try request("POST", "/rest/posts", fields, post("a (b)"))),
      (linkedIn, try request("POST", "/rest/posts", [json, bearer, version], post("a"))),
      (x, try request("POST", "/2/tweets", [form, bearer], "text=a")),
      (x, try request("POST", "/2/tweets", [json, ("Authorization", "OAuth token-1234")], "{}")),
    ]
    for (service, request) in bad {
      expect(throws: Refusal.self) { try service.answer(request) }
    }
  }

  @Test("Mobile Services, oPRO and Mobile Foundation require theirs")
  func siblings() throws {
    let time = ManualTime()
    let base = try HTTPURL("http://127.0.0.1:1/")
    let app = MobileServicesServer(
      base: base, dialect: .mobileServices(applicationKey: "key"), time: time,
      providerToken: "token")
    let opro = OPROServer(clientSecret: "secret", password: "password", time: time)
    let foundation = FoundationServer(base: base, time: time)
    let grant =
      "client_id=\(OPROServer.clientID)&client_secret=secret&username=foo%40example.com&password=password"
    #expect(try opro.answer(request("POST", "/oauth/token.json", [form], grant)).status == 200)
    let zumo = [
      json, ("X-ZUMO-APPLICATION", "key"), ("X-ZUMO-VERSION", "ZUMO/1.3"),
      ("User-Agent", "ZUMO/1.3"), ("Accept", "application/json"),
    ]
    let login = #"{"access_token":"token"}"#
    #expect(try app.answer(request("POST", "/login/facebook", zumo, login)).status == 200)
    let bad: [(any Simulator, ServerRequest)] = [
      (app, try request("POST", "/login/facebook", [json], login)),
      (app, try request("POST", "/login/facebook", zumo + [("X-ZUMO-AUTH", "old")], login)),
      (app, try request("POST", "/.auth/login/facebook", zumo, login)),
      // The engine evaluates a code even if it is empty.
      (opro, try request("POST", "/oauth/token.json", [form], grant + "&code=")),
      (opro, try request("POST", "/oauth/token.json", [json], "{}")),
      (
        foundation,
        try request(
          "POST", "/mfp/api/registration/v1/self", [json, ("x-wl-app-version", "1.0.0")], "{}")
      ),
      (foundation, try request("POST", "/mfp/api/preauth/v1/preauthorize", [json], "{}")),
    ]
    for (service, request) in bad {
      expect(throws: Refusal.self) { try service.answer(request) }
    }
  }
}
