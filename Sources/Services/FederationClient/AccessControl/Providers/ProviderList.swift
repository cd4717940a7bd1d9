import HTTPExchange
import Octets
import TokenErrors

/// Parses the list of identity providers: a JSON array, or a function call with one (JSONP).
enum ProviderList {
  private static let mediaTypes = [
    "application/json", "text/json", "text/javascript", "application/javascript",
    "application/x-javascript",
  ]

  /// - Throws: `client.content-type`, `transport.malformed-response`, `input.json-*`,
  ///   `transport.malformed-address`, `transport.insecure-address`.
  static func read(
    _ response: HTTPResponse, callback: String?
  ) throws(TokenError) -> [IdentityProvider] {
    let type = (response.fields["Content-Type"] ?? "").utf8
      .prefix { $0 != UInt8(ascii: ";") && $0 != ASCII.space }.map(ASCII.lowercased)
    guard mediaTypes.contains(where: { $0.utf8.elementsEqual(type) }) else {
      throw TokenError(.clientContentType, expected: "JSON or a script")
    }
    var octets = response.body[...]
    if octets.starts(with: [0xEF, 0xBB, 0xBF]) { octets = octets.dropFirst(3) }
    if let callback { octets = try unwrapped(octets, callback) }
    let json = try JSONParser.parse(Array(octets))
    guard let elements = json.array else {
      throw TokenError(.jsonMember, expected: "an array", found: json.kindName)
    }
    var providers: [IdentityProvider] = []
    for (index, element) in elements.enumerated() {
      do throws(TokenError) {
        providers.append(try IdentityProvider(element))
      } catch {
        throw TokenError(
          error.code, node: "[\(index)].\(error.node ?? "")", expected: error.expected)
      }
    }
    return providers
  }

  /// The octets between `name(` and `);`.
  private static func unwrapped(
    _ octets: ArraySlice<UInt8>, _ callback: String
  ) throws(TokenError) -> ArraySlice<UInt8> {
    var rest = trimmed(octets)
    let head = Array((callback + "(").utf8)
    if rest.last == UInt8(ascii: ";") { rest = trimmed(rest.dropLast()) }
    guard rest.starts(with: head), rest.last == UInt8(ascii: ")") else {
      throw TokenError(.transportMalformedResponse, expected: "a call of \(callback)")
    }
    return rest.dropFirst(head.count).dropLast()
  }

  private static func trimmed(_ octets: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = octets.drop(while: ASCII.isWhiteSpace)
    while let last = rest.last, ASCII.isWhiteSpace(last) { rest = rest.dropLast() }
    return rest
  }
}
