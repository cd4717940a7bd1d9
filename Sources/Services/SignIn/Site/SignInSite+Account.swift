import HTTPExchange

extension SignInSite {
  /// `GET account`: who the person is here, by whom, until when, and what their provider said of them.
  ///
  /// - Parameters:
  ///   - session: The person's session; nil for none.
  ///   - settings: Those of the host at which the page is.
  func account(_ session: SignedInSession?, _ settings: SiteSettings) -> HTTPResponse {
    guard let session else {
      return redirect(settings.prefix + "sign-in?return=" + settings.prefix + "account")
    }
    let person = shown(session, settings)
    let provider = provider(session.provider)?.name ?? session.provider
    let name = Self.name(person.claims) ?? person.subject.map(Self.shown)
    var content = PageContent(name.map { "You are \($0)" } ?? "You are signed in")
    content.notes = [
      "Signed in by \(provider) since \(PageTime.minute(session.begun)), until \(PageTime.minute(session.end))."
    ]
    // `claims` has what is about the token too.
    let claims = person.claims.filter { !TokenMember.isOfToken($0.type.name) }
    if !claims.isEmpty {
      content.tables = [
        PageContent.Table(
          "What \(provider) says of you", heads: ["Claim", "Value"],
          rows: claims.map { claim in
            // A provider's credential is never shown (GATE-22).
            [claim.type.shortName, claim.type.isCredential ? "hidden" : claim.value]
          })
      ]
    }
    if session.principal.keptTypes != nil {
      content.notes.append(
        "\(provider) says more of you than is kept here: there is only what this site uses.")
    }
    content.notes += missingNote(session, provider, settings)
    content.primaryLink = PageContent.Link("Sign out", to: settings.prefix + "sign-out")
    content.nextLink = PageContent.Link("To the front page", to: "/")
    return page(200, .content(content))
  }

  /// Says which claims a rule or a header names and the session lacks, so that a person who is refused can tell an operator. The
  /// page of one application does not name what others look for.
  private func missingNote(
    _ session: SignedInSession, _ provider: String, _ settings: SiteSettings
  ) -> [String] {
    guard settings.origin == self.settings.origin, let namedClaims else { return [] }
    let claims = session.principal.claims
    let missing = namedClaims(session.provider).filter { $0.isMissing(in: claims) }
    guard !missing.isEmpty else { return [] }
    let names = missing.prefix(Self.mostMissing).map(\.name).joined(separator: ", ")
    return ["This site also looks for claims that \(provider) did not send: \(names)."]
  }

  /// The most names of missing claims on a page.
  private static let mostMissing = 20

  /// What to call a person: the name or the address that the provider says, in SAML's words or those of OpenID Connect; nil for
  /// neither.
  private static func name(_ claims: ClaimSet) -> String? {
    let types: [ClaimType] = [.name, "name", .emailAddress, "email"]
    return types.lazy.compactMap { claims.single($0) }.first { !$0.isEmpty }.map(shown)
  }

  private static func shown(_ text: String) -> String {
    TokenError.unquoted(TokenError.excerpt(text))
  }

  /// The page for a person who is signed in and may not see what they asked for.
  ///
  /// - Parameter needsStrongerSignIn: Whether a sign-in of a better kind is all that they lack.
  package func forbidden(
    _ error: TokenError, reference: String, subject: String, claims: ClaimSet,
    provider id: String, return path: String, needsStrongerSignIn: Bool = false
  ) -> HTTPResponse {
    // An application's sign-in would be content with the session that is there.
    let back =
      ((try? ReturnPath(path)).map { "?return=" + HTTPURL.percentEncoded($0.text) + "&" } ?? "?")
      + ApplicationSite.again + "=1"
    return page(
      403,
      .forbidden(
        ForbiddenPage(
          subject: Self.name(claims) ?? subject, provider: provider(id)?.name ?? id,
          code: error.code.rawValue,
          reference: reference,
          signIn: providers.count > 1 ? settings.prefix + "sign-in" + back : nil,
          signOut: settings.prefix + "sign-out", needsStrongerSignIn: needsStrongerSignIn)))
  }

  /// A refusal that a browser shows a person of whom nothing is known: the sentence and what to do.
  package func refused(_ status: Int, _ error: TokenError, reference: String) -> HTTPResponse {
    var content = PageContent(
      status == 503 ? "This is not working right now" : "This address is refused",
      notes: ["The reason: \(error.code.summary)."])
    content.notes.append(
      "If that should not be so, tell the people who run this site the number below.")
    content.details = (error.code.rawValue, reference)
    content.nextLink = PageContent.Link("To the front page", to: "/")
    return page(status, .content(content))
  }
}

extension ClaimType {
  /// The last word of a URI, by which people know a claim; the whole name of any other.
  package var shortName: String {
    guard name.firstRange(of: "://") != nil, let slash = name.lastIndex(of: "/") else {
      return name
    }
    let word = name[name.index(after: slash)...]
    return word.isEmpty ? name : String(word)
  }
}
