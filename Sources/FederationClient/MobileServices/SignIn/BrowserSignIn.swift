public import HTTPExchange
import Octets
import StrictJSON
public import TokenErrors

/// Sign-in in a browser view: open ``start``, look at every address that the view wants to go to, stop
/// at the one that ends it.
///
/// Nothing in that address says which sign-in it ends: an attacker who has the person open one signs the
/// person in as anybody the attacker likes. Take the address from the very view that opened ``start``;
/// where a person hands it over, show whom it signs in and ask. ``EasyAuthSignIn`` has no such gap.
public struct BrowserSignIn: Sendable {
  public let provider: MobileProvider
  /// What to open.
  public let start: HTTPURL
  private let end: HTTPURL
  private let service: MobileService

  /// - Parameter parameters: The provider's own, such as `display` or `scope`.
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

  /// What an address means that the view wants to go to; nil, without a request, while the sign-in goes
  /// on. The token of the address is the service's only if the service takes it: it is tried at a table.
  ///
  /// - Parameter table: A table of the app that signed-in people may read.
  /// - Throws: as ``answer(in:)`` and ``MobileService/refusal(of:at:over:)``.
  public func outcome(
    ofNavigationTo address: String, tryingAt table: String, over transport: any HTTPTransport
  ) async throws(TokenError) -> MobileSignIn? {
    guard let answer = try answer(in: address) else { return nil }
    guard case .signedIn(let user) = answer,
      let refusal = try await service.refusal(of: user, at: table, over: transport)
    else { return answer }
    return .refused(refusal)
  }

  /// What an address says; nil while the sign-in goes on.
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
        // The place says nothing, the text would say too much.
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
