import HTTPExchange
import IdentityProviderTesting
import SignIn
import Testing

@Suite("A request")
struct WebRequestTests {
  private static let form = "application/x-www-form-urlencoded"

  @Test("Its query, form and cookies are those of its parts, also after a part has changed")
  func changed() throws {
    var request = WebRequest(
      method: "POST", query: "a=1", contentType: Self.form, body: Array("b=2".utf8))
    try request.fields.append("Cookie", "c=3")
    #expect(try request.parameters["a"] == "1" && request.form["b"] == "2")
    #expect(request.cookies["c"]?.revealed == "3")
    let copy = request
    request.query = "a=4"
    request.body = Array("b=5".utf8)
    try request.fields.set("Cookie", "c=6")
    #expect(try request.parameters["a"] == "4" && request.form["b"] == "5")
    #expect(request.cookies["c"]?.revealed == "6")
    #expect(try copy.parameters["a"] == "1" && copy.form["b"] == "2")
    #expect(copy.cookies["c"]?.revealed == "3")
  }

  @Test("What cannot be read is refused each time that it is asked for")
  func malformed() throws {
    let request = WebRequest(
      method: "POST", query: "a=1&a=2", contentType: Self.form, body: Array("b".utf8))
    for _ in 1...2 {
      #expect(refusalCode { _ = try request.parameters } == .clientDuplicateParameter)
      #expect(refusalCode { _ = try request.form } == .clientMalformedForm)
    }
  }

  @Test("Names that are not plain are passed over where that is asked for, and refused elsewhere")
  func foreignNames() throws {
    let request = WebRequest(method: "GET", query: "utm%5Bsource%5D=x&a=1")
    #expect(try request.parameters(passingOver: .foreignNames)["a"] == "1")
    #expect(refusalCode { _ = try request.parameters } == .clientMalformedForm)
  }

  @Test("A form is what is posted as one; a value that would split the request is no type")
  func forms() throws {
    let body = Array("b=2".utf8)
    #expect(WebRequest(method: "POST", contentType: Self.form, body: body).hasForm)
    for request in [
      WebRequest(method: "PUT", contentType: Self.form, body: body),
      WebRequest(method: "POST", contentType: "text/plain", body: body),
      WebRequest(method: "POST", contentType: Self.form + "\r\nX: y", body: body),
      WebRequest(method: "POST", body: body),
    ] {
      #expect(!request.hasForm && refusalCode { _ = try request.form } == .clientContentType)
    }
  }
}
