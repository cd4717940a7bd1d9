import HTTPExchange
import IdentityProviderTesting
import IssuerRegistry
import SecurityKeys
import SignIn
import TestSupport
import Testing

/// A relying party, its provider, and one clock for both.
struct OpenIDFixture: Sendable {
  let time = ManualTime()
  let provider: ScriptedProvider
  let transport: ScriptedTransport
  let registry: OpenIDRegistry
  let used = MemoryReplayStore()

  init(issuer: String = "https://idp.example/tenant") throws {
    provider = try ScriptedProvider(issuer: issuer, time: time)
    transport = provider.transport
    registry = OpenIDRegistry(
      try OpenIDSource(issuer: issuer), transport: transport, clock: time, jitter: { 0 })
  }

  /// A relying party; `change` edits its registration.
  func party(_ change: (inout OpenIDClient) throws -> Void = { _ in }) throws -> OpenIDRelyingParty
  {
    var client = OpenIDClient(
      clientID: ScriptedProvider.clientID, authentication: .basic(Secret("s3cret:&+ ü")),
      redirectURI: try HTTPURL(ScriptedProvider.redirectURI))
    try change(&client)
    return try OpenIDRelyingParty(client, provider: registry, transport: transport)
  }

  /// A whole sign-in; `change` edits what the provider does between the redirect and the answer.
  func signIn(
    _ party: OpenIDRelyingParty, code: String = "code-1",
    _ change: @Sendable (inout ScriptedProvider.State) -> Void = { _ in }
  ) async throws -> OpenIDSignIn {
    let begun = try await party.begin(returningTo: nil, at: time.now)
    let answer = try provider.authorize(begun.action, code: code)
    provider.change(change)
    #expect(try party.request(of: answer) == begun.pending.request)
    return try await party.finish(answer, pending: begun.pending, used: used, at: time.now)
  }

  /// The code of the error of a sign-in; nil for a success.
  func refusal(
    _ party: OpenIDRelyingParty? = nil,
    _ change: @Sendable (inout ScriptedProvider.State) -> Void
  ) async throws -> TokenError.Code? {
    await refusalCode { _ = try await signIn(try party ?? self.party(), change) }
  }
}
