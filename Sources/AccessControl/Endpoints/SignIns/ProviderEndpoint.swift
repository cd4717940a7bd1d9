import BrowserExchange
import Octets
import SecurityKeys
import SignIn
import TokenService

extension AccessControlSite {
  /// `GET /v2/sign-in?cx=…`: the page of a test provider, or the way to a real one.
  func signIn(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let text = try query(request).require("cx")
    let (browser, cookies) = browser(request)
    let context: SignInContext
    do throws(TokenError) {
      context = try opened(text, request)
    } catch {
      guard error.code == .issuingSignIn else { throw error }
      context = try invited(text)
    }
    let (party, provider) = try resolved(context)
    do throws(TokenError) {
      switch provider.kind {
      case .upstream(let name):
        return try await beginUpstream(context, name, browser, cookies, request)
      case .testPeople(let people):
        return choice(context, provider, people, browser, cookies)
      }
    } catch {
      // A relying party would begin again at once.
      return error.code == .signInLoop
        ? refusal(error) : refusal(error, context, party, provider)
    }
  }

  /// The page of a test provider.
  private func choice(
    _ context: SignInContext, _ provider: OfferedProvider, _ people: [TestPerson],
    _ browser: String, _ cookies: [SetCookie]
  ) -> HTTPResponse {
    let text = seal(context, for: browser)
    let fields = [(name: "cx", value: text), (name: "token", value: formToken(browser, text))]
    var content = PageContent(
      "Sign in with \(provider.name)",
      notes: ["These people are invented. Press one of them to sign in to the application."])
    let choices = people.enumerated().map { number, person in ("\(number)", person.name) }
    content.forms =
      (choices + [("cancel", "Cancel"), ("fail", "Answer with an error")]).map { choice, text in
        PageContent.Form(
          to: "/v2/sign-in", fields: fields + [(name: "person", value: choice)], button: text)
      }
    return responder.page(200, .content(content), cookies: cookies)
  }

  /// `POST /v2/sign-in`: a test person was pressed, or one of the other ends.
  func signedIn(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    guard FormReader.isForm(request.fields["Content-Type"]) else {
      throw TokenError(.issuingField, node: "Content-Type", expected: FormReader.mediaType)
    }
    let form = try FormReader(request.body)
    let text = try form.require("cx")
    let context = try opened(text, request)
    let (party, provider) = try resolved(context)
    // The form is the one that this browser was shown.
    guard let browser = request.cookies[cookieName("browser")]?.revealed,
      ConstantTime.areEqual(
        Array(formToken(browser, text).utf8), Array(try form.require("token").utf8))
    else { throw TokenError(.issuingSignIn, node: "token") }
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
        return try await finish(
          context, party, provider, subject(of: people[number], provider), request)
      }
    } catch {
      return refusal(error, context, party, provider)
    }
  }

  /// A test person who was just pressed; how one signs in is what the file says.
  private func subject(
    of person: TestPerson, _ provider: OfferedProvider
  ) throws(TokenError) -> SignedInSubject {
    var subject = try SignedInSubject(named: person.claims, from: .provider(provider.id))
    subject.emails = person.claims[.emailAddress].filter(provider.isAuthoritative)
    subject.authenticated = Instant(secondsSinceEpoch: clock.now.seconds)
    subject.context = person.claims.single(.authenticationMethod)
    return subject
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
    guard let id = context.provider else { throw TokenError(.issuingSignIn, node: "cx") }
    return (party, try namespace.provider(id, of: party))
  }

  /// What a form of this browser for this sign-in has in it.
  private func formToken(_ browser: String, _ context: String) -> String {
    Base64.encode(key.code(for: "form:\(browser):\(context)"), .url)
  }
}
