public import HTTPExchange
public import TokenBasics

/// Sign-in in a browser view: open ``start`` and pass every address that the view navigates to, until one
/// ends the sign-in.
///
/// That address is not tied to this sign-in: an attacker who gets the person to open one signs the person
/// in to an account of the attacker's choice. Accept an address only from the view that opened ``start``;
/// if a person enters it, show the user it signs in and let the person confirm. ``EasyAuthSignIn`` is tied.
public struct BrowserSignIn: Sendable {
  /// The provider to sign in at.
  public let provider: MobileProvider
  /// The address to open.
  public let start: HTTPURL
  private let end: HTTPURL
  private let service: MobileService

  /// A sign-in at `provider`; sends nothing.
  ///
  /// - Parameters:
  ///   - service: The service at which the person signs in.
  ///   - provider: The provider at which the person signs in.
  ///   - parameters: The provider's own, such as `display` or `scope`.
  /// - Throws: `client.parameter`, `transport.malformed-address`.
  public init(
    _ service: MobileService, by provider: MobileProvider, parameters: [(String, String)] = []
  ) throws(TokenError) {
    self.provider = provider
    self.service = service
    let login = try service.signInURL("login", provider.rawValue)
    start = try service.adding(
      service.isAppService ? [("session_mode", "token")] + parameters : parameters, to: login)
    end = try service.signInURL("login", "done")
  }

  /// The outcome if this address ends the sign-in; nil, without a request, while it continues. A token in
  /// the address is accepted only if the service accepts it: it is tested with a request to a table.
  ///
  /// - Parameters:
  ///   - address: The address that the web view is about to open.
  ///   - table: A table of the app that signed-in people may read.
  ///   - transport: Reaches the service.
  /// - Throws: `client.*` for a malformed answer; as ``MobileService/refusal(of:at:over:)``.
  public func outcome(
    ofNavigationTo address: String, tryingAt table: String, over transport: any HTTPTransport
  ) async throws(TokenError) -> MobileSignIn? {
    guard let answer = try answer(in: address) else { return nil }
    guard case .signedIn(let user) = answer,
      let refusal = try await service.refusal(of: user, at: table, over: transport)
    else { return answer }
    return .refused(refusal)
  }

  /// The result in an address; nil while the sign-in continues.
  ///
  /// The end is the app's own scheme, host, port and exact path: neither a longer path nor a host that
  /// begins alike ends the flow.
  ///
  /// - Throws: `transport.malformed-response` for an end without a readable token or error;
  ///   `client.other-provider`, `input.json-*`.
  package func answer(in address: String) throws(TokenError) -> MobileSignIn? {
    let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard let url = try? HTTPURL(String(parts[0])), url.origin == end.origin, url.path == end.path
    else { return nil }
    guard parts.count == 2 else {
      throw JSONAnswer.malformed("a fragment with token or error")
    }
    let fragment = parts[1]
    if fragment.hasPrefix("token=") {
      let text = try QueryParameters.text(fragment.dropFirst(6), .isPlus)
      let json: JSONValue
      do throws(TokenError) {
        json = try JSONParser.parse(Array(text.utf8))
      } catch {
        // The error's text could contain the token, and its place is of no use.
        throw error == TokenError(.duplicateJSONName)
          ? TokenError(error.code) : JSONAnswer.malformed("JSON in the fragment")
      }
      return .signedIn(try MobileUser(json).checked(against: provider))
    }
    guard fragment.hasPrefix("error=") else {
      throw JSONAnswer.malformed("a fragment with token or error")
    }
    let text = try QueryParameters.text(fragment.dropFirst(6), .isPlus)
    return .refused(ServerMessage(status: 401, text, hiding: []))
  }
}
