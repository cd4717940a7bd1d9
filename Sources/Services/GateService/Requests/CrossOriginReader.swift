import HTTPExchange
import Octets

/// A page of another origin that reads answers of an application (CORS), if the gate's file lists its origin.
struct CrossOriginReader {
  /// The origin of the page, which the file lists; nil for any other request.
  private let origin: String?
  /// Whether the request names the method that a page is going to use.
  private let namesMethod: Bool

  /// - Parameters:
  ///   - origins: The origins that the file lists.
  ///   - fields: The header fields of the request.
  init(_ origins: [HTTPOrigin], _ fields: HTTPFields) {
    // Most files list none, and every request asks.
    guard !origins.isEmpty else {
      origin = nil
      namesMethod = false
      return
    }
    let named = fields.values("Origin")
    let isListed = { (name: String) in
      origins.contains { $0.description.hasSameBytes(as: name) }
    }
    origin = named.count == 1 ? named.first.flatMap { isListed($0) ? $0 : nil } : nil
    namesMethod = fields.values("Access-Control-Request-Method").count == 1
  }

  /// Whether it is a preflight (Fetch, 3.3.2), which has neither a session nor a token.
  func asksBeforehand(_ method: String) -> Bool {
    origin != nil && namesMethod && method == "OPTIONS"
  }

  /// The answer, which the page may read where it says how to get a token: 401 with its `WWW-Authenticate`. Answers of the
  /// application are the application's own to open.
  func shown(_ response: HTTPResponse) -> HTTPResponse {
    guard let origin, response.status == 401 else { return response }
    var response = response
    for (name, value) in [
      ("Access-Control-Allow-Origin", origin),
      ("Access-Control-Expose-Headers", "WWW-Authenticate"),
    ] { try? response.fields.set(name, value) }
    try? response.fields.append("Vary", "Origin")
    return response
  }
}
