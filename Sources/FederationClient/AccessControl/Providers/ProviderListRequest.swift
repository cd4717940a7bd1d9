public import HTTPExchange
import Octets
public import TokenErrors

/// What is asked of the list of identity providers (home realm discovery).
public struct ProviderListRequest: Sendable {
  /// How the token shall come back.
  public enum Delivery: String, Sendable {
    /// By a form that the browser posts to the relying party.
    case wsFederation = "wsfederation"
    /// To the program around a web view.
    case javascriptNotify = "javascriptnotify"
  }

  public var delivery: Delivery
  /// Where the form is posted; it must be a registered return URL.
  public var replyTo: HTTPURL?
  /// Comes back with the token.
  public var context: String?
  public var requestID: String?
  /// The name of a JavaScript function: the list then is a call of it.
  public var callback: String?

  public init(_ delivery: Delivery, replyTo: HTTPURL? = nil, context: String? = nil) {
    self.delivery = delivery
    self.replyTo = replyTo
    self.context = context
  }

  /// - Throws: `client.parameter` for a callback that is no name of a function.
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
  /// Where the list of identity providers is.
  /// - Throws: `client.parameter`.
  public func providerListAddress(_ request: ProviderListRequest) throws(TokenError) -> HTTPURL {
    try address("/v2/metadata/IdentityProviders.js").adding(request.parameters(realm: realm))
  }
}
