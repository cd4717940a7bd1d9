import BrowserExchange
import Octets
import SignIn
import StrictJSON
import TokenService

extension AccessControlSite {
  /// The identity providers of a relying party as JSON, or as a script that calls a function with them.
  func providerFeed(_ request: WebRequest) throws(TokenError) -> HTTPResponse {
    let query = try query(request)
    guard query["version"] == "1.0" else {
      throw TokenError(.issuingField, node: "version", expected: "1.0")
    }
    guard let delivery = query["protocol"].flatMap(SignInContext.Delivery.init(rawValue:)),
      delivery == .passive || delivery == .notify
    else {
      throw TokenError(
        .issuingField, node: "protocol", expected: "wsfederation or javascriptnotify")
    }
    let namespace = namespace
    let party = try namespace.relyingParty(query.require("realm"))
    if let reply = query["reply_to"] { _ = try party.returnAddress(asked: reply) }
    var context = SignInContext(delivery, realm: party.realm)
    context.reply = query["reply_to"]
    context.context = query["context"]
    context.begun = clock.now
    var json = JSONWriter()
    json.array { json in
      for provider in namespace.providers(of: party) { write(provider, context, to: &json) }
    }
    guard let callback = query["callback"] else {
      return responder.response(200, "application/json; charset=utf-8", json.bytes)
    }
    guard Self.isFunction(callback) else {
      throw TokenError(.issuingField, node: "callback", expected: "the name of a function")
    }
    return responder.response(
      200, "text/javascript; charset=utf-8",
      Array("\(callback)(".utf8) + json.bytes + Array(");".utf8))
  }

  private func write(
    _ provider: OfferedProvider, _ context: SignInContext, to json: inout JSONWriter
  ) {
    json.object { json in
      json.name("Name")
      json.string(provider.name)
      json.name("LoginUrl")
      json.string(signInAddress(provider, context, nil))
      json.name("LogoutUrl")
      json.string(address("/v2/wsfederation?wa=wsignout1.0"))
      json.name("ImageUrl")
      json.string(provider.image?.text ?? "")
      json.name("EmailAddressSuffixes")
      json.array { json in
        for suffix in provider.emailSuffixes { json.string(suffix) }
      }
    }
  }

  /// Where a person signs in at a provider.
  ///
  /// - Parameter browser: The browser alone that may; nil for a link that anybody may follow.
  func signInAddress(
    _ provider: OfferedProvider, _ context: SignInContext, _ browser: String?
  ) -> String {
    var context = context
    context.provider = provider.id
    return address("/v2/sign-in?cx=" + seal(context, for: browser))
  }

  /// A name, or names with dots, of ASCII letters: nothing that runs.
  private static func isFunction(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.utf8.count <= 64
      && parts.allSatisfy { part in
        guard let first = part.first, !ASCII.isDigit(first) else { return false }
        return part.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "_$".utf8.contains($0) }
      }
  }
}
