public import HTTPExchange
import Octets
import SecurityKeys
public import TokenBasics

/// Sign-in in a browser that returns to the app by a custom URL scheme, with a proof key in App Service's
/// encoding: padded base64 where RFC 7636 has base64url.
public struct EasyAuthSignIn: Sendable {
  /// The provider to sign in at.
  public let provider: MobileProvider
  /// The address to open in the browser.
  public let start: HTTPURL
  /// The address to which the browser returns; it must be on the service's list of redirect addresses.
  public let callback: String
  private let service: MobileService
  private let verifier: Secret

  /// A sign-in at `provider` with a new verifier; sends nothing.
  ///
  /// - Parameters:
  ///   - service: The service at which the person signs in.
  ///   - provider: The provider at which the person signs in.
  ///   - scheme: The address scheme of the app, such as `talks`.
  ///   - random: The source of random octets; another one in tests alone.
  /// - Throws: `client.parameter` for an invalid scheme, `http` or `https`; `transport.malformed-address`.
  public init(
    _ service: MobileService, by provider: MobileProvider, scheme: String,
    random: RandomSource = RandomSource()
  ) throws(TokenError) {
    try self.init(
      service, by: provider, scheme: scheme,
      verifier: Base64.encode(random.octets(32)))
  }

  init(
    _ service: MobileService, by provider: MobileProvider, scheme: String, verifier: String
  ) throws(TokenError) {
    guard let first = scheme.utf8.first, ASCII.isLetter(first), scheme != "http",
      scheme != "https",
      scheme.utf8.allSatisfy({
        ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0)
      })
    else { throw TokenError(.clientParameter, node: "scheme", expected: "a scheme of the app") }
    guard let digest = DigestAlgorithm.sha256.digest(of: Array(verifier.utf8)) else {
      throw TokenError(.mintSignature, found: "sha256")
    }
    self.service = service
    self.provider = provider
    self.verifier = Secret(verifier)
    callback = scheme + "://easyauth.callback"
    start = try service.signInURL("login", provider.rawValue).adding([
      ("session_mode", "token"), ("post_login_redirect_url", callback),
      ("code_challenge", Base64.encode(digest)), ("code_challenge_method", "S256"),
    ])
  }

  /// Exchanges the code in the address to which the browser returned.
  ///
  /// - Throws: `client.state` for another address than ``callback``; `client.duplicate-parameter`,
  ///   `client.parameter`, `client.other-provider`; `transport.*`, `input.json-*`.
  public func finish(
    _ address: String, over transport: any HTTPTransport
  ) async throws(TokenError) -> MobileSignIn {
    let code = try code(in: address)
    let url = try service.signInURL("login", provider.rawValue, "token").adding([
      ("authorization_code", code.revealed), ("code_verifier", verifier.revealed),
    ])
    return try await service.signIn(
      HTTPRequest(.get, url), by: provider, hiding: [code, verifier], over: transport)
  }

  private func code(in address: String) throws(TokenError) -> Secret {
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let base = parts.first, base == callback || base == callback + "/" else {
      throw TokenError(.clientState, expected: callback)
    }
    let query = parts.count == 2 ? parts[1].prefix { $0 != "#" } : ""
    let parameters = try QueryParameters.read(String(query), plus: .isPlus)
    guard let code = parameters["authorization_code"], !code.isEmpty, parameters["error"] == nil
    else { throw TokenError(.clientParameter, node: "authorization_code") }
    return Secret(code)
  }
}
