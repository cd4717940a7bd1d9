import BrowserExchange
import SignIn
import TokenService

extension AccessControlSite {
  /// What the service is, for whoever opens its address.
  func front() -> HTTPResponse {
    let namespace = namespace
    var content = PageContent(
      "Access Control Service",
      notes: ["Issues tokens for the relying parties below. Choose one to sign in to it."])
    content.tables = [
      PageContent.Table(
        "Addresses", heads: ["For", "Address"],
        rows: [
          ["WS-Federation", address("/v2/wsfederation")],
          ["Metadata", address("/FederationMetadata/2007-06/FederationMetadata.xml")],
          ["Home realm discovery", address("/v2/metadata/IdentityProviders.js")],
          ["WRAP", address("/WRAPv0.9")], ["OAuth 2.0 draft 13", address("/v2/OAuth2-13")],
          ["WS-Trust", address(Self.trustRoute)],
        ])
    ]
    content.links = namespace.relyingParties.filter { !$0.returnAddresses.isEmpty }.map { party in
      PageContent.Link(
        party.name,
        to: "/v2/wsfederation?wa=wsignin1.0&wtrealm=" + HTTPURL.percentEncoded(party.realm))
    }
    return responder.page(200, .content(content))
  }

  /// The page of a refusal, with the number of Access Control Service, our code and the number of the log entry.
  func refusal(
    _ error: TokenError, at place: ACSRefusal.Place = .request
  ) -> HTTPResponse {
    let code = ACSRefusal(error, at: place)
    let trace = logged(error, code)
    var content = PageContent(
      error.code == .issuingCancelled ? "You cancelled" : "There is no token",
      notes: Self.explanation(error, code))
    content.details = (error.code.rawValue, trace)
    return responder.page(code.status, .content(content))
  }

  /// What is wrong, by its number, and what to do.
  static func explanation(_ error: TokenError, _ code: ACSRefusal) -> [String] {
    // Where it is and what was expected are ours; what was found may be an attacker's text.
    let place = [error.node, error.expected.map { "expected \($0)" }].compactMap(\.self)
    return ["\(code): \(error.code.summary)."]
      + (place.isEmpty ? [] : [place.joined(separator: ": ") + "."])
      + ["Hint: \(error.hint)."]
  }

  /// Logs a refusal and returns its number.
  func logged(_ error: TokenError, _ code: ACSRefusal) -> String {
    let trace = traceID()
    observer.happened(
      Activity(
        "issuing.refused",
        [
          ("code", error.code.rawValue), ("number", code.description), ("trace", trace),
          ("error", error.description),
        ]))
    return trace
  }

  /// A number in the form of a UUID, as clients expect it.
  private func traceID() -> String {
    let digits = Array(random.hex(16))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      .joined(separator: "-")
  }
}
