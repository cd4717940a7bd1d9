import HTTPExchange
import Octets

extension SignInSite {
  /// `GET account`: who the person is here, by whom, until when, and what their provider said of them.
  func account(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    guard let session = try await session(of: request) else {
      return redirect(settings.prefix + "sign-in?return=" + settings.prefix + "account")
    }
    let principal = session.principal
    let provider = provider(session.provider)?.name ?? session.provider
    let name = principal.claims.single(.name) ?? principal.subject
    var content = PageContent("You are \(TokenError.excerpt(name))")
    content.notes = [
      "Signed in by \(provider) since \(Self.time(session.begun)), until \(Self.time(session.end))."
    ]
    content.tables = [
      PageContent.Table(
        "What \(provider) says of you", heads: ["Claim", "Value"],
        rows: principal.claims.map { claim in
          // A provider's credential is never shown (GATE-22).
          [claim.type.shortName, claim.type.isCredential ? "hidden" : claim.value]
        })
    ]
    content.links = [PageContent.Link("Sign out", to: settings.prefix + "sign-out")]
    content.nextLink = PageContent.Link("To the front page", to: "/")
    return page(200, .content(content))
  }

  /// A time as a person reads it: `2026-11-21 05:00 UTC`.
  private static func time(_ instant: Instant) -> String {
    let text = instant.rfc3339
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }

  /// The page for a person who is signed in and may not see what they asked for.
  package func forbidden(
    _ error: TokenError, reference: String, subject: String, provider id: String,
    return path: String
  ) -> HTTPResponse {
    let back = (try? ReturnPath(path)).map { "?return=" + HTTPURL.percentEncoded($0.text) } ?? ""
    return page(
      403,
      .forbidden(
        ForbiddenPage(
          subject: subject, provider: provider(id)?.name ?? id, code: error.code.rawValue,
          reference: reference,
          signIn: providers.count > 1 ? settings.prefix + "sign-in" + back : nil,
          signOut: settings.prefix + "sign-out")))
  }
}

extension ClaimType {
  /// The last word of a URI, by which people know a claim; the whole name of any other.
  fileprivate var shortName: String {
    guard name.firstRange(of: "://") != nil, let slash = name.lastIndex(of: "/") else {
      return name
    }
    let word = name[name.index(after: slash)...]
    return word.isEmpty ? name : String(word)
  }
}
