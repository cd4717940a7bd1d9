import SignIn
import TestSupport
import Testing

@Suite("One cookie of a request")
struct CookieFieldTests {
  @Test(
    "A cookie is found among others, and the jar of all agrees",
    arguments: [
      (["session=a"], "a"), (["x=1; session=a; y=2"], "a"), (["x=1", "session=a"], "a"),
      (["session=a=b"], "a=b"), (["session="], ""), ([";;session=a;"], "a"),
    ])
  func found(fields: [String], value: String) throws {
    #expect(CookieField.value(of: "session", in: fields)?.revealed == value)
    #expect(try jar(fields)["session"]?.revealed == value)
  }

  @Test(
    "A cookie that is there twice, or only as part of another name or value, is none",
    arguments: [
      [], [""], ["session"], ["session=a; session=b"], ["session=a", "session=a"],
      ["xsession=a"], ["sessions=a"], ["x=session=a"], ["SESSION=a"], ["x=\"; y\"=session"],
    ])
  func absent(fields: [String]) throws {
    #expect(CookieField.value(of: "session", in: fields) == nil)
    #expect(try jar(fields)["session"] == nil)
  }

  private func jar(_ fields: [String]) throws -> CookieJar {
    WebRequest(
      method: "GET", path: "/", fields: try HTTPFields(fields.map { ("Cookie", $0) })
    ).cookies
  }
}
