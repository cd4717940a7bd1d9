import Federation
import HTTPExchange
import SimulatedService
import Synchronization
import TokenBasics

extension AccessControlCore {
  // MARK: Providers

  func providerList(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let given = try request.parameters()
    let known: Set = [
      "protocol", "realm", "reply_to", "context", "request_id", "version", "callback",
    ]
    guard Set(given.keys).isSubset(of: known) else { throw Refusal(400, "unknown parameter") }
    guard given["version"] == "1.0", let delivery = given["protocol"],
      ["wsfederation", "javascriptnotify"].contains(delivery)
    else { throw Refusal(400, "protocol and version 1.0 are required") }
    do throws(ServiceFault) {
      let party = try relyingParty(given["realm"])
      if let reply = given["reply_to"], !isReturn(reply, of: party) { throw .replyAddress }
      var json = JSONWriter()
      json.array { json in
        for provider in namespace.providers {
          json.object { json in
            json.name("Name")
            json.string(provider.name)
            json.name("LoginUrl")
            json.string(
              loginAddress(
                provider, delivery, party.realm, reply: given["reply_to"],
                context: given["context"]))
            json.name("LogoutUrl")
            json.string(namespace.base.text + "logout?wa=wsignout1.0")
            json.name("ImageUrl")
            json.string("")
            json.name("EmailAddressSuffixes")
            json.array { json in
              for suffix in provider.emailSuffixes { json.string(suffix) }
            }
          }
        }
      }
      let body = String(decoding: json.bytes, as: UTF8.self)
      guard let callback = given["callback"] else {
        // The service sends a byte order mark.
        return .answer(
          200, [("Content-Type", "application/json; charset=utf-8")], "\u{FEFF}" + body)
      }
      return .answer(200, [("Content-Type", "text/javascript")], "\(callback)(\(body));")
    } catch {
      return error.page
    }
  }

  private func loginAddress(
    _ provider: AccessControlNamespace.Provider, _ delivery: String, _ realm: String,
    reply: String?, context: String?
  ) -> String {
    var pairs = [("pr", delivery), ("rm", realm), ("ip", provider.id)]
    if let reply { pairs.append(("ry", reply)) }
    if let context { pairs.append(("cx", context)) }
    var address =
      namespace.base.text + "login?client_id=1234567890&cx=" + ContextToken.encode(pairs)
    if let scope = provider.scope { address += "&scope=" + FormEncoding.encode(scope) }
    return address
  }

  /// The provider's page: one person, two links.
  func providerPage(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let given = try request.parameters()
    guard let cx = given["cx"] else { throw Refusal(400, "no context") }
    _ = try ContextToken.decode(cx)
    let back = TokenEnvelope.escaped("/v2/callback?cx=\(cx)")
    return .html(
      "<html><body><a id=\"approve\" href=\"\(back)&amp;approved=yes\">Sign in</a>"
        + "<a id=\"decline\" href=\"\(back)&amp;approved=no\">Cancel</a></body></html>")
  }

  /// The provider redirects the person back.
  func callback(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let given = try request.parameters()
    guard let cx = given["cx"], let approved = given["approved"] else {
      throw Refusal(400, "not a provider's answer")
    }
    let context = try ContextToken.decode(cx)
    guard let provider = namespace.providers.first(where: { $0.id == context["ip"] }),
      let delivery = context["pr"]
    else { throw Refusal(400, "an unknown provider") }
    do {
      let party = try relyingParty(context["rm"])
      let reply = context["ry"] ?? party.returnURLs.first
      do {
        guard approved == "yes" else { throw ServiceFault.cancelled }
        let token = try mint(
          subject: provider.subject, claims: try claims(of: provider), for: party)
        if delivery == "javascriptnotify" {
          return Self.notifyPage(token.notifyMessage(context: context["cx"]))
        }
        guard let reply else { throw ServiceFault.replyAddress }
        var fields = [
          ("wa", "wsignin1.0"), ("wresult", token.tokenResponse(context: context["cx"])),
        ]
        if let cx = context["cx"] { fields.append(("wctx", cx)) }
        return Self.postingPage(reply, fields)
      } catch let fault as ServiceFault {
        guard party.postsErrors, delivery == "wsfederation", let reply else { return fault.page }
        return Self.postingPage(
          reply, [("ErrorDetails", fault.details(context: context["cx"], provider: provider.id))])
      }
    } catch let fault as ServiceFault {
      return fault.page
    } catch {
      throw Refusal(500, "\(error)")
    }
  }

  // MARK: The passive profile

  func passive(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let given = try request.parameters()
    let known: Set = [
      "wa", "wtrealm", "wreply", "wctx", "wct", "whr", "wauth", "wfresh", "redirect",
    ]
    guard Set(given.keys).isSubset(of: known) else { throw Refusal(400, "unknown parameter") }
    do throws(ServiceFault) {
      let party = try relyingParty(given["wtrealm"])
      if let reply = given["wreply"], !isReturn(reply, of: party) { throw .replyAddress }
      switch given["wa"] {
      case "wsignout1.0":
        state.withLock { $0.signOuts += 1 }
        return given["wreply"].map(HTTPResponse.found) ?? .html("<p>Signed out.</p>")
      case "wsignin1.0":
        guard given["wreply"] != nil || !party.returnURLs.isEmpty else { throw .replyAddress }
        return picker(party, given)
      default: throw ServiceFault(20_000, 400, "The sign-in request is malformed.")
      }
    } catch {
      return error.page
    }
  }

  private func picker(
    _ party: AccessControlNamespace.RelyingParty, _ given: [String: String]
  ) -> HTTPResponse {
    let wanted = namespace.providers.filter { given["whr"] == nil || $0.id == given["whr"] }
    let links = wanted.map {
      loginAddress($0, "wsfederation", party.realm, reply: given["wreply"], context: given["wctx"])
    }
    if links.count == 1, given["redirect"] != "false" { return .found(links[0]) }
    let list = zip(wanted, links).map { provider, link in
      "<a id=\"\(TokenEnvelope.escaped(provider.name))\" href=\"\(TokenEnvelope.escaped(link))\">"
        + "\(TokenEnvelope.escaped(provider.name))</a>"
    }
    return .html("<html><body>\(list.joined())</body></html>")
  }

  /// Exactly a registered address; on loopback with any port.
  func isReturn(_ address: String, of party: AccessControlNamespace.RelyingParty) -> Bool {
    isRegistered(address, among: party.returnURLs)
  }

  func isRegistered(_ address: String, among registered: [String]) -> Bool {
    guard let url = try? HTTPURL(address) else { return false }
    return registered.contains { text in
      guard let known = try? HTTPURL(text), known.origin.isLoopback, url.origin.isLoopback else {
        return text == address
      }
      return known.origin.host == url.origin.host && known.path == url.path
        && known.query == url.query
    }
  }

  // MARK: Pages

  /// A page whose script passes a message to the program around it.
  static func notifyPage(_ message: String) -> HTTPResponse {
    var json = JSONWriter()
    json.string(message)
    let literal = String(decoding: json.bytes, as: UTF8.self).replacing("</", with: "<\\/")
    return .html(
      "<html><head><script type=\"text/javascript\">window.external.Notify(\(literal));</script>"
        + "</head></html>")
  }

  /// A page with a form that submits itself.
  static func postingPage(_ action: String, _ fields: [(String, String)]) -> HTTPResponse {
    let inputs = fields.map { name, value in
      "<input type=\"hidden\" name=\"\(name)\" value=\"\(TokenEnvelope.escaped(value))\"/>"
    }
    return .html(
      "<html><body onload=\"document.forms[0].submit()\"><form method=\"post\" "
        + "action=\"\(TokenEnvelope.escaped(action))\">\(inputs.joined())</form></body></html>")
  }
}
