import HTTPExchange
import TokenErrors

/// An upload address that a service sent in a response.
enum UploadAddress {
  /// Parses it. A remote service must not send uploads to loopback: a listener there would accept the upload
  /// as a request of a trusted program.
  ///
  /// - Parameter service: The origin of the service.
  /// - Throws: `transport.insecure-address` for loopback, unless the service is on loopback too;
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
