import Foundation
import HTTPExchange
import TokenErrors

extension URLSessionTransport {
  /// Whether a proxy stands between the program and a server. It sees the names of hosts, and of plain http
  /// to loopback everything.
  public enum Proxies: Hashable, Sendable {
    /// No proxy. libcurl on Linux cannot be told that, so a request is refused there (`transport.proxy`)
    /// while `http_proxy`, `https_proxy` or `all_proxy` names one for its scheme, unless `no_proxy` is `*`.
    case none
    /// The one of the system's settings; on Linux the one that those variables name.
    case system

    func check(_ request: HTTPRequest) throws(TokenError) {
      #if canImport(FoundationNetworking)
        guard self == .none else { return }
        let environment = ProcessInfo.processInfo.environment
        guard environment["no_proxy"] ?? environment["NO_PROXY"] != "*" else { return }
        // As libcurl reads them: of http_proxy the capitals are not read, because CGI sets them.
        let names =
          request.url.origin.scheme == "https"
          ? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
          : ["http_proxy", "all_proxy", "ALL_PROXY"]
        for name in names where environment[name]?.isEmpty == false {
          throw TokenError(
            .transportProxy, node: request.description,
            expected: "no proxy, or one that the program allows", found: name)
        }
      #endif
    }
  }
}
