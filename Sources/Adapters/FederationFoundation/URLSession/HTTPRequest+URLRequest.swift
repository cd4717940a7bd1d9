import Foundation
import HTTPExchange
import TokenErrors

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPRequest {
  /// The request as Foundation's type.
  /// - Throws: `transport.malformed-address` for an address that `URL` changes.
  func urlRequest() throws(TokenError) -> URLRequest {
    guard let address = URL(string: url.text), address.absoluteString == url.text else {
      throw TokenError(
        .transportMalformedAddress, node: description,
        expected: "an address that URL takes as it is written")
    }
    var request = URLRequest(url: address)
    request.httpMethod = method.rawValue
    request.httpShouldHandleCookies = false
    // `withinTimeLimit` enforces the limit. This one has whole seconds, and overflows on Linux.
    let (seconds, _) = timeout.components
    request.timeoutInterval = TimeInterval(min(max(seconds, 1), 86_400) + 60)
    if fields.values("Accept-Encoding").isEmpty {
      request.addValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }
    for (name, value) in fields.list { request.addValue(value, forHTTPHeaderField: name) }
    if !body.isEmpty || method != .get { request.httpBody = Data(body) }
    return request
  }
}
