import Foundation
import HTTPExchange
import IdentityProviderTesting
import IssuerRegistry
import JSONWebTokens
import RegistryTesting
import SecurityKeys
import SignIn
import TestSupport
import Testing

/// A trust file of issuers that are named by an address, or are asked, and their provider.
final class BearerTokenFixture: Sendable {
  static let audience = "https://api.example"
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "bearer-\(UUID().uuidString)/")
  let provider: OpenIDFixture
  let observer = RecordingObserver()
  /// What the introspection endpoint answers.
  let answer: Mutexed<HTTPResponse>
  let transport: ScriptedTransport
  var time: ManualTime { provider.time }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let provider = try OpenIDFixture()
    let answer = Mutexed(HTTPResponse.json("{\"active\":false}"))
    self.answer = answer
    self.provider = provider
    transport = ScriptedTransport { (request) throws(TokenError) in
      if request.url.text == "https://as.example/introspect" { return answer.current }
      return try await provider.transport.response(to: request)
    }
    try write("secret", "s3cret\n")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  func authenticator(
    _ issuers: some StringProtocol, _ more: String = "", over other: (any HTTPTransport)? = nil
  ) throws -> TokenAuthenticator {
    try write(
      "trust.json", "{\"audiences\": [\"\(Self.audience)\"], \"issuers\": [\(issuers)]\(more)}")
    let registry = BearerTokenRegistry(
      trustFile: folder.path() + "trust.json", transport: other ?? transport, clock: time,
      observer: observer)
    return TokenAuthenticator(registry, clock: time)
  }

  static let discovery =
    "{\"name\": \"https://idp.example/tenant\", \"id\": \"op\", \"openID\": true}"
  static let keysAt =
    "{\"name\": \"https://idp.example/tenant\", \"keysAt\": \"https://idp.example/tenant/keys\"}"
  static func introspection(_ more: String = ", \"clientSecret\": \"file:secret\"")
    -> String
  {
    """
    {"name": "https://as.example", "id": "as", "introspection":
      {"at": "https://as.example/introspect", "clientID": "api 1"\(more)}}
    """
  }

  func jwt(
    _ change: (inout [String: String]) -> Void = { _ in }, type: String? = "JWT",
    by key: ProviderKey? = nil
  ) throws -> String {
    var payload = [
      "iss": quoted("https://idp.example/tenant"), "aud": quoted(Self.audience),
      "sub": quoted("alice"), "iat": "\(time.now.seconds)", "exp": "\(time.now.seconds + 300)",
    ]
    change(&payload)
    let key = try key ?? ProviderKey.first
    return try key.token(payload, type: type, keyID: key.keyID)
  }

  func principal(
    _ authenticator: TokenAuthenticator, _ token: String
  ) async throws -> FederatedPrincipal? {
    try await authenticator.principal(HTTPFields([("Authorization", "Bearer \(token)")]))
  }

  func code(_ authenticator: TokenAuthenticator, _ token: String) async -> TokenError.Code? {
    await refusalCode { _ = try await principal(authenticator, token) }
  }

  func requests(_ end: String) -> Int {
    transport.requests.count { $0.url.text.hasSuffix(end) }
  }

  /// Has the introspection endpoint call a token active, with these members; nil leaves one out.
  func answering(_ members: [String: String?]) {
    var all: [String: String] = [
      "active": "true", "sub": quoted("bob"), "aud": quoted(Self.audience),
      "iss": quoted("https://as.example"), "scope": quoted("read write"), "acr": quoted("mfa"),
    ]
    for (name, value) in members { all[name] = value }
    let text = object(all)
    answer.withLock { $0 = .json(text) }
  }
}
