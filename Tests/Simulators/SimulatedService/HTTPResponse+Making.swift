public import HTTPExchange

extension HTTPResponse {
  /// A response with these fields.
  public static func answer(
    _ status: Int, _ fields: [(String, String)] = [], _ body: String = ""
  ) -> HTTPResponse {
    var all = HTTPFields()
    for (name, value) in fields { try? all.append(name, value) }
    return HTTPResponse(status: status, fields: all, body: Array(body.utf8))
  }

  public static func json(
    _ body: String, status: Int = 200, _ fields: [(String, String)] = []
  ) -> HTTPResponse {
    answer(status, [("Content-Type", "application/json; charset=utf-8")] + fields, body)
  }

  public static func html(
    _ body: String = "<html>Sign in</html>", status: Int = 200
  ) -> HTTPResponse {
    answer(status, [("Content-Type", "text/html; charset=utf-8")], body)
  }

  public static func found(_ location: String) -> HTTPResponse {
    answer(302, [("Location", location)])
  }
}
