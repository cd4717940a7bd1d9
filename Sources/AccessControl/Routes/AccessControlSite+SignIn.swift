import BrowserExchange
import Octets
import SecurityKeys
import SignIn
import StrictJSON
import TokenService

extension AccessControlSite {
  /// `GET /v2/sign-in?cx=…`: the page of a test provider, or the way to a real one.
  func signIn(_ request: SiteRequest) async throws(TokenError) -> HTTPResponse {
    let query = try FormReader((request.query ?? "").utf8)
    let context = try SignInContext(token: query.require("cx"))
    let (_, provider) = try resolved(context)
    switch provider.kind {
    case .upstream(let name):
      guard let upstream else { throw TokenError(.issuingProvider, node: provider.name) }
      let back = "/v2/continue?cx=" + context.token
      return responder.redirect(
        upstream.settings.prefix + "sign-in?provider=" + HTTPURL.percentEncoded(name) + "&return="
          + HTTPURL.percentEncoded(back))
    case .testPeople(let people):
      let (browser, cookie) = self.browser(request)
      let fields = [
        (name: "cx", value: context.token), (name: "token", value: formToken(browser, context)),
      ]
      var content = PageContent(
        "Sign in with \(provider.name)",
        notes: ["These people are invented. Press one of them to sign in to the application."])
      let choices = people.enumerated().map { number, person in ("\(number)", person.name) }
      content.forms =
        (choices + [("cancel", "Cancel"), ("fail", "Answer with an error")]).map { choice, text in
          PageContent.Form(
            to: "/v2/sign-in", fields: fields + [(name: "person", value: choice)], button: text)
        }
      return responder.page(200, .content(content), cookies: cookie.map { [$0] } ?? [])
    }
  }

  /// `POST /v2/sign-in`: a test person was pressed, or one of the other ends.
  func signedIn(_ request: SiteRequest) async throws(TokenError) -> HTTPResponse {
    guard FormReader.isForm(request.fields["Content-Type"]) else {
      throw TokenError(.issuingRequest, expected: "a form")
    }
    let form = try FormReader(request.body)
    let context = try SignInContext(token: form.require("cx"))
    let (party, provider) = try resolved(context)
    // The form is the one that this browser was shown.
    guard let browser = request.cookies[cookieName("browser")]?.revealed,
      ConstantTime.areEqual(
        Array(formToken(browser, context).utf8), Array(try form.require("token").utf8))
    else { throw TokenError(.signInUnknown) }
    guard case .testPeople(let people) = provider.kind else {
      throw TokenError(.issuingProvider, node: provider.name)
    }
    let choice = try form.require("person")
    do throws(TokenError) {
      switch choice {
      case "cancel": throw TokenError(.issuingCancelled)
      case "fail": throw TokenError(.issuingProviderAnswer, node: provider.name)
      default:
        guard let number = Int(choice), people.indices.contains(number) else {
          throw TokenError(.issuingField, node: "person")
        }
        return try await finish(context, party, provider, people[number].claims, request)
      }
    } catch {
      return refusal(error, context, party, provider)
    }
  }

  /// `GET /v2/continue?cx=…`: a person comes back from a real provider.
  func continueUpstream(_ request: SiteRequest) async throws(TokenError) -> HTTPResponse {
    let query = try FormReader((request.query ?? "").utf8)
    let context = try SignInContext(token: query.require("cx"))
    let (party, provider) = try resolved(context)
    guard case .upstream(let name) = provider.kind, let upstream,
      let session = try await upstream.session(of: request),
      session.provider.hasSameBytes(as: name)
    else { throw TokenError(.signInUnknown) }
    do throws(TokenError) {
      return try await finish(
        context, party, provider, Self.claims(of: session.principal), request)
    } catch {
      return refusal(error, context, party, provider)
    }
  }

  /// The claims of a person from a real provider: by their URIs, with the subject as the name identifier.
  private static func claims(of principal: FederatedPrincipal) -> ClaimSet {
    var claims = principal.claims.map { claim in
      var claim = claim
      if let uri = ClaimNaming.uri(of: claim.type.name) { claim.type = ClaimType(uri) }
      return claim
    }
    if !claims.contains(where: { $0.type == .nameIdentifier }) {
      claims.insert(Claim(.nameIdentifier, principal.subject), at: 0)
    }
    return ClaimSet(claims)
  }

  func resolved(
    _ context: SignInContext
  ) throws(TokenError) -> (RelyingParty, OfferedProvider) {
    let namespace = namespace
    let party = try namespace.relyingParty(context.realm)
    if [.passive, .openID].contains(context.delivery) {
      _ = try party.returnAddress(asked: context.reply)
    }
    if context.delivery == .saml {
      guard let service = party.serviceProvider else {
        throw TokenError(.issuingReplyAddress, node: party.name)
      }
      _ = try service.consumer(asked: context.reply)
    }
    guard let id = context.provider else { throw TokenError(.issuingRequest, node: "cx") }
    return (party, try namespace.provider(id, of: party))
  }

  // MARK: Cookies

  func cookieName(_ name: String) -> String {
    (origin.scheme == "https" ? "__Host-acs-" : "acs-") + name
  }

  /// The number of this browser, and the cookie where it has none yet.
  private func browser(_ request: SiteRequest) -> (String, SetCookie?) {
    let name = cookieName("browser")
    if let known = request.cookies[name]?.revealed, known.utf8.count == 32 { return (known, nil) }
    let made = random.hex(16)
    return (
      made, SetCookie(name: name, value: Secret(made), maximumAge: nil, sameSite: .lax)
    )
  }

  /// What a form of this browser for this sign-in has in it.
  private func formToken(_ browser: String, _ context: SignInContext) -> String {
    Base64.encode(key.code(for: "form:\(browser):\(context.token)"), .url)
  }

  /// The realms that this browser signed in to.
  func participants(_ request: SiteRequest) -> [String] {
    guard let cookie = request.cookies[cookieName("sessions")],
      let octets = try? Base64.decode(Array(cookie.revealed.utf8), .url),
      let plain = key.open(octets, context: Self.sessionsContext),
      let list = try? JSONParser.parse(plain).array
    else { return [] }
    return list.compactMap(\.string)
  }

  /// The cookie that remembers a realm beside those before.
  func remembering(_ realm: String, _ request: SiteRequest) -> SetCookie {
    let others = participants(request).filter { !$0.hasSameBytes(as: realm) }
    var json = JSONWriter()
    json.array { json in
      for realm in others.suffix(9) + [realm] { json.string(realm) }
    }
    let sealed = key.seal(json.bytes, context: Self.sessionsContext) ?? []
    return SetCookie(
      name: cookieName("sessions"), value: Secret(Base64.encode(sealed, .url)), maximumAge: nil,
      sameSite: .lax)
  }

  private static let sessionsContext = Array("sessions".utf8)
}
