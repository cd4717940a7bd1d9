@testable import HTTPExchange
import Testing
import TokenBasics

@Suite("JSON in answers")
struct JSONAnswerTests {
  private func isRead(_ type: String?, _ body: String = "{\"a\": 1}") -> Bool {
    guard let fields = try? HTTPFields(type.map { [("Content-Type", $0)] } ?? []) else {
      return false
    }
    let answer = HTTPResponse(status: 200, fields: fields, body: Array(body.utf8))
    return (try? JSONAnswer.read(answer)) != nil
  }

  @Test("An answer that calls itself JSON, or nothing, is read; a page is not")
  func types() {
    for type in [
      nil, "application/json", "Application/JSON;charset=utf-8", "application/json ; charset=utf-8",
      "text/json", "text/javascript; charset=UTF-8", "application/jwk-set+json", "a/b+JSON",
    ] {
      #expect(isRead(type), "\(type ?? "")")
    }
    for type in ["text/html", "application/jsonp", "application/xml+json2", "+json/x", ""] {
      #expect(!isRead(type), "\(type)")
    }
    #expect(!isRead("application/json", "<html>"))
  }
}
