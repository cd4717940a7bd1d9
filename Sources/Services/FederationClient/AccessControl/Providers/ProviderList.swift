public import HTTPExchange
import Octets
public import TokenBasics

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

/// The parameters of a request for the list of identity providers (home realm discovery).
public struct ProviderListRequest: Sendable {
  /// How the token is returned (`protocol`).
  public enum Delivery: String, Sendable {
    /// In a form that the browser posts to the relying party.
    case wsFederation = "wsfederation"
    /// By script, to the program that shows the web view.
    case javascriptNotify = "javascriptnotify"
  }

  /// How the token is returned.
  public var delivery: Delivery
  /// The address to which the form is posted (`reply_to`); it must be a registered return URL.
  public var replyTo: HTTPURL?
  /// Opaque text that is returned with the token.
  public var context: String?
  /// An identifier of the request (`request_id`); nil leaves it out.
  public var requestID: String?
  /// The name of a JavaScript function; the response is then a call of it.
  public var callback: String?

  /// A request with these parameters; nil leaves a parameter out.
  public init(_ delivery: Delivery, replyTo: HTTPURL? = nil, context: String? = nil) {
    self.delivery = delivery
    self.replyTo = replyTo
    self.context = context
  }

  /// - Throws: `client.parameter` for a callback that is not a function name.
  func parameters(realm: String) throws(TokenError) -> [(String, String)] {
    var parameters = [("protocol", delivery.rawValue), ("realm", realm)]
    if let replyTo { parameters.append(("reply_to", replyTo.text)) }
    if let context { parameters.append(("context", context)) }
    if let requestID { parameters.append(("request_id", requestID)) }
    parameters.append(("version", "1.0"))
    if let callback {
      let isName = callback.utf8.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || "_$.".utf8.contains($0)
      }
      guard isName, let first = callback.utf8.first, !ASCII.isDigit(first) else {
        throw TokenError(.clientParameter, node: "callback", expected: "the name of a function")
      }
      parameters.append(("callback", callback))
    }
    return parameters
  }
}

extension AccessControlService {
  /// The address of the list of identity providers.
  /// - Throws: `client.parameter`.
  public func providerListAddress(_ request: ProviderListRequest) throws(TokenError) -> HTTPURL {
    try address("/v2/metadata/IdentityProviders.js").adding(request.parameters(realm: realm))
  }
}
