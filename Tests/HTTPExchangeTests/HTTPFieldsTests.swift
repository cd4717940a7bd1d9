import HTTPExchange
import Testing
import TokenBasics

@Suite("HTTP fields")
struct HTTPFieldsTests {
  @Test("Names compare without case, values keep their order")
  func looksUp() throws {
    var fields = try HTTPFields([("Accept", "a"), ("accept", "b"), ("ETag", "\"1\"")])
    #expect(fields.values("ACCEPT") == ["a", "b"])
    #expect(fields["accept"] == nil)
    #expect(fields["etag"] == "\"1\"")
    try fields.set("Accept", "c")
    #expect(fields["accept"] == "c")
    fields.remove("ETAG")
    #expect(fields.list.map(\.name) == ["Accept"])
  }

  @Test(
    "RP-14 A name or value that would split the message is refused",
    arguments: [
      ("X", "a\r\nAuthorization: b"), ("X", "a\nb"), ("X", "a\rb"), ("X", "\u{0}"), ("X", " a"),
      ("X", "a "), ("X Y", "a"), ("", "a"), ("X:", "a"), ("X\r\n", "a"),
    ])
  func refuses(name: String, value: String) {
    #expect(throws: TokenError(.transportMalformedField)) { try HTTPFields([(name, value)]) }
  }

  @Test("RP-9 A request and a response describe themselves without query, fields or body")
  func redacts() throws {
    let fields = try HTTPFields([("Authorization", "Bearer sesame")])
    let url = try HTTPURL("https://rp.example/a?token=sesame")
    let request = HTTPRequest(.post, url, fields: fields, body: Array("sesame".utf8))
    let response = HTTPResponse(status: 200, fields: fields, body: Array("sesame".utf8))
    for text in ["\(request)", "\(response)", String(reflecting: response)] {
      #expect(!text.contains("sesame"))
    }
    var dumped = ""
    dump(request, to: &dumped)
    #expect(!dumped.contains("sesame"))
  }
}
