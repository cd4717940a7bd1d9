public import HTTPExchange
import Octets
public import TokenErrors

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
