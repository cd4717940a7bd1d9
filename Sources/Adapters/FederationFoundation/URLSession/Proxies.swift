import Foundation
import HTTPExchange
import TokenErrors

extension URLSessionTransport {
  /// Whether a proxy is used. A proxy sees the names of hosts, and plain http to loopback as a whole.
  public enum Proxies: Hashable, Sendable {
    /// No proxy. libcurl on Linux has no such option, so a request fails there (`transport.proxy`) while
    /// `http_proxy`, `https_proxy` or `all_proxy` names one for its scheme, unless `no_proxy` is `*`.
    case none
    /// The proxy of the system's settings; on Linux that of these variables.
    case system

    func check(_ request: HTTPRequest) throws(TokenError) {
      #if canImport(FoundationNetworking)
        guard self == .none else { return }
        let environment = ProcessInfo.processInfo.environment
        guard environment["no_proxy"] ?? environment["NO_PROXY"] != "*" else { return }
        // Like libcurl, which ignores HTTP_PROXY in capitals because CGI sets it.
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
