package import HTTPExchange
import JSONWebTokens
import Octets
package import TokenBasics

/// The checks that are the same for every fetched document, before anything in it is read.
package enum FetchedDocument {
  /// The request for JSON that is to come as it is.
  package static func request(
    _ url: HTTPURL, upTo maximumBytes: Int, timeout: Duration
  ) throws(TokenError) -> HTTPRequest {
    var request = HTTPRequest(.get, url)
    request.maximumResponseBytes = maximumBytes
    request.timeout = timeout
    try request.fields.append("Accept", "application/json, application/jwk-set+json")
    try request.fields.append("Accept-Encoding", "identity")
    return request
  }

  /// The octets of a complete answer with status 200, neither compressed nor too large.
  ///
  /// The media type is ignored: the signature or the server authenticates the document, and a type proves
  /// nothing.
  ///
  /// - Throws: `transport.redirect`, `transport.status`, `transport.too-large`,
  ///   `transport.malformed-response`, `registry.content-encoding`.
  package static func octets(
    of response: HTTPResponse, upTo maximumBytes: Int
  ) throws(TokenError) -> [UInt8] {
    guard !response.isRedirect else {
      throw TokenError(.transportRedirect, found: "status \(response.status)")
    }
    guard response.status == 200 else {
      throw TokenError(.transportStatus, expected: "200", found: "\(response.status)")
    }
    guard response.fields.values("Content-Encoding").allSatisfy({ $0 == "identity" }) else {
      throw TokenError(
        .registryContentEncoding, expected: "identity",
        found: TokenError.excerpt(response.fields.values("Content-Encoding").joined(separator: ","))
      )
    }
    guard response.body.count <= maximumBytes else {
      throw TokenError(.transportTooLarge, expected: "at most \(maximumBytes) bytes")
    }
    if let length = response.fields["Content-Length"], Int(length) != response.body.count {
      throw TokenError(
        .transportMalformedResponse,
        expected: "Content-Length bytes, " + TokenError.excerpt(length),
        found: "\(response.body.count)")
    }
    return response.body
  }

  /// The error that names an HTML page in place of a document, such as a sign-in page with status 200; nil for octets
  /// that are no page.
  static func page(_ octets: [UInt8], inPlaceOf document: String) -> TokenError? {
    guard RecognisedText.of(octets).kind.isPage else { return nil }
    return TokenError(.htmlPage, expected: document, found: TextKind.page.rawValue)
  }

  /// The `max-age` of `Cache-Control` (RFC 9111, 5.2.2.1): one to nine digits; nil for anything else.
  package static func maxAge(_ response: HTTPResponse) -> Int64? {
    let directives = response.fields.values("Cache-Control").flatMap { $0.split(separator: ",") }
    let ages = directives.compactMap { directive -> Int64? in
      let text = directive.utf8.filter { !ASCII.isWhiteSpace($0) }.map(ASCII.lowercased)
      guard text.starts(with: "max-age=".utf8) else { return nil }
      let digits = text.dropFirst("max-age=".utf8.count)
      guard (1...9).contains(digits.count), digits.allSatisfy(ASCII.isDigit) else { return nil }
      return Int64(String(decoding: digits, as: UTF8.self))
    }
    return ages.min()
  }

  /// The most octets of a key set: a mebibyte.
  private static let keySetLimit = 1 << 20

  /// The response with a key set, and its octets.
  ///
  /// - Throws: `transport.*`, `registry.content-encoding`.
  static func keySetDocument(
    at address: HTTPURL, over transport: any HTTPTransport
  ) async throws(TokenError) -> (response: HTTPResponse, octets: [UInt8]) {
    let request = try request(address, upTo: keySetLimit, timeout: .seconds(30))
    let response = try await transport.response(to: request)
    return (response, try octets(of: response, upTo: keySetLimit))
  }

  /// The key set in a document. One without a key that can be used is none: what was known before stays.
  ///
  /// - Throws: `input.*`, among them `input.html`; `key.*`, with the address.
  static func keySet(_ octets: [UInt8], from address: String) throws(TokenError) -> JSONWebKeySet {
    do throws(TokenError) {
      return try JSONWebKeySet(parsing: octets)
    } catch {
      if let page = page(octets, inPlaceOf: "a key set") { throw page.within(address) }
      throw error.code.family == "key" ? error.within(address) : error
    }
  }
}
