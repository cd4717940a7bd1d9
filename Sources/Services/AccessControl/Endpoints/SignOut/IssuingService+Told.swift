import HTTPExchange
import Octets
import SecurityKeys
import SignIn
import TokenBasics

extension IssuingService {
  /// The session of a browser as a relying party knows it (`sid`): two of them cannot put together what they know. Each ID token
  /// of a sign-in has it, so that a hint at the sign-out shows of which session it is.
  func sessionID(_ session: String, for realm: String) -> String? {
    guard !session.isEmpty else { return nil }
    return Base64.encode(key.code(for: "sid:" + PrefixedTexts.text(session) + realm), .url)
  }

  /// Ends a visit, and tells those who can be told without the browser. What is left for the browser joins the sign-out.
  ///
  /// - Parameter realm: The relying party that asked, which knows.
  func end(
    visit id: String, joining signOut: inout SignOut, asked realm: String? = nil
  ) async throws(TokenError) {
    let visit = try await grants.endVisit(id)
    signOut.sessions += visit.lastSessions
    var direct: [(RelyingParty, Message)] = []
    for visited in visit.parties {
      guard let party = try? await self.party(visited.realm) else { continue }
      signOut.names.append(party.name)
      if let realm, realm.hasSameBytes(as: visited.realm) { continue }
      switch way(to: visited, party, in: id) {
      case .direct(let message): direct.append((party, message))
      case .browser: signOut.parties.append(visited)
      case .picture(let address):
        signOut.pictures.append(address)
        // A picture brings no answer.
        signOut.isPartial = true
      case .nowhere: signOut.isPartial = true
      }
    }
    if await !tell(direct) { signOut.isPartial = true }
  }

  /// A message from server to server.
  private enum Message {
    /// A logout token (OpenID Connect Back-Channel Logout 1.0, 2).
    case token(sid: String, HTTPURL)
    /// A `LogoutRequest` over SOAP (SAML Profiles 4.4.3).
    case request(SAMLServiceProvider, IssuerSession, HTTPURL)
  }

  /// How a relying party hears of a sign-out.
  private enum Way {
    case direct(Message)
    case browser
    case picture(String)
    case nowhere
  }

  private func way(to visited: VisitedParty, _ party: RelyingParty, in visit: String) -> Way {
    switch visited.delivery {
    case .saml:
      let provider: SAMLServiceProvider
      do throws(TokenError) {
        provider = try SAMLEndpoint(service: self).knownServiceProvider(party.realm)
      } catch {
        logNotTold(party.realm, error)
        return .nowhere
      }
      if transport != nil, let address = provider.directLogout {
        return .direct(.request(provider, visited.session, address))
      }
      return provider.logout.isEmpty ? .nowhere : .browser
    case .passive:
      return party.returnAddresses.first.map {
        .picture($0.adding([("wa", "wsignoutcleanup1.0")]).text)
      } ?? .nowhere
    default:
      guard let address = party.backChannelLogout, let sid = sessionID(visit, for: party.realm)
      else {
        return .nowhere
      }
      return .direct(.token(sid: sid, address))
    }
  }

  /// Sends messages, all at once, and says in the log what became of each.
  ///
  /// - Returns: Whether all were answered. Their tokens end with the session all the same.
  private func tell(_ messages: [(RelyingParty, Message)]) async -> Bool {
    guard let transport else { return messages.isEmpty }
    let namespace = namespace
    return await withTaskGroup(of: Bool.self) { group in
      for (party, message) in messages {
        group.addTask {
          do throws(TokenError) {
            switch message {
            case .token(let sid, let address):
              let token = try namespace.logoutToken(sid, to: party, at: clock.now)
              try await Self.post(token, to: address, over: transport)
            case .request(let provider, let session, let address):
              try await SAMLEndpoint(service: self)
                .tell(provider, of: session, at: address, over: transport)
            }
            observer.happened(Activity("issuing.logout-told", [("party", party.realm)]))
            return true
          } catch {
            logNotTold(party.realm, error)
            return false
          }
        }
      }
      return await group.allSatisfy(\.self)
    }
  }

  /// Says in the log that a relying party was not told of a sign-out, and why.
  func logNotTold(_ realm: String, _ error: TokenError) {
    observer.happened(
      Activity(
        "issuing.logout-not-told",
        [("code", error.code.rawValue), ("party", realm), ("error", error.description)]))
  }

  /// A person waits for each answer.
  static let answerTime = Duration.seconds(5)

  private static func post(
    _ token: [UInt8], to address: HTTPURL, over transport: any HTTPTransport
  ) async throws(TokenError) {
    var request = try HTTPRequest.form(
      [(name: "logout_token", value: String(decoding: token, as: UTF8.self))], to: address)
    request.maximumResponseBytes = 1 << 14
    request.timeout = answerTime
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
