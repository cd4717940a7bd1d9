import HTTPExchange
import Octets
import SecurityKeys
import SignIn

extension IssuingService {
  /// The session of a browser as a relying party knows it (`sid`): two of them cannot put together what they know.
  func sessionID(_ session: String, for party: RelyingParty) -> String? {
    guard !session.isEmpty, party.backChannelLogout != nil else { return nil }
    // Each part with its length before it, so that the text has one reading.
    return Base64.encode(
      key.code(for: "sid:\(session.utf8.count):\(session)\(party.realm)"), .url)
  }

  /// Tells the relying parties of a visit that take it that the person signed out (OpenID Connect Back-Channel Logout 1.0, 2).
  /// One that is not reached says so in the log; its tokens end with the session all the same.
  func tellOfSignOut(_ visit: Visit) async {
    guard let transport else { return }
    let namespace = namespace
    let parties = visit.realms.compactMap { try? namespace.relyingParty($0) }
    await withTaskGroup(of: Void.self) { group in
      for party in parties {
        guard let address = party.backChannelLogout, let sid = sessionID(visit.id, for: party)
        else { continue }
        group.addTask {
          do throws(TokenError) {
            let token = try namespace.logoutToken(sid, to: party, at: clock.now)
            try await Self.post(token, to: address, over: transport)
            observer.happened(Activity("issuing.logout-told", [("party", party.realm)]))
          } catch {
            observer.happened(
              Activity(
                "issuing.logout-not-told",
                [
                  ("code", error.code.rawValue), ("party", party.realm),
                  ("error", error.description),
                ]))
          }
        }
      }
    }
  }

  private static func post(
    _ token: [UInt8], to address: HTTPURL, over transport: any HTTPTransport
  ) async throws(TokenError) {
    var request = try HTTPRequest.form(
      [(name: "logout_token", value: String(decoding: token, as: UTF8.self))], to: address)
    request.maximumResponseBytes = 1 << 14
    // A person waits for it.
    request.timeout = .seconds(5)
    let response = try await transport.response(to: request)
    // 2.8: 200, and by some frameworks 204.
    guard [200, 204].contains(response.status) else {
      throw TokenError(
        .transportStatus, node: address.description, expected: "200", found: "\(response.status)")
    }
  }
}

extension ServiceNamespace {
  /// A logout token (OpenID Connect Back-Channel Logout 1.0, 2.4).
  ///
  /// - Throws: `issuing.no-certificate`, `policy.mint-*`.
  func logoutToken(
    _ sid: String, to party: RelyingParty, at now: Instant
  ) throws(TokenError) -> [UInt8] {
    let draft = TokenDraft(
      issuer: issuer, audiences: [party.realm],
      claims: ClaimSet([
        Claim("sid", sid),
        Claim(
          "events", "{\"http://schemas.openid.net/event/backchannel-logout\":{}}",
          valueType: Claim.jsonType),
      ]), issuedAt: Instant(secondsSinceEpoch: now.seconds), lifetime: Self.logoutLifetime)
    return try encrypted(mint(draft, for: party, type: "logout+jwt"), to: party)
  }

  /// Seconds: two minutes, as the text recommends.
  private static let logoutLifetime = 120
}
