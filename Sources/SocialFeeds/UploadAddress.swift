import HTTPExchange
import TokenErrors

/// An address that a service names in its answer for the client to send something to.
enum UploadAddress {
  /// Reads it. A service elsewhere has no business on this machine: what listens there would take the
  /// upload for a request of a program that is trusted.
  ///
  /// - Parameter service: Where the service itself is.
  /// - Throws: `transport.insecure-address` for this machine's loopback, unless the service is there;
  ///   `transport.malformed-address`.
  static func read(_ text: String, of service: HTTPOrigin) throws(TokenError) -> HTTPURL {
    let url = try HTTPURL(text)
    guard !url.origin.isLoopback || service.isLoopback else {
      throw TokenError(
        .transportInsecureAddress, expected: "an address outside this machine",
        found: TokenError.excerpt(url.origin.description))
    }
    return url
  }
}
