import HTTPExchange
import Octets
import SecurityKeys
import SignIn

/// What this browser did here since it last signed out: its own cookie says it, and nobody else writes that.
struct Visit {
  /// Ties codes and refresh tokens to the sign-out.
  var id: String
  /// The realms that it signed in to.
  var realms: [String]
}

extension IssuingService {
  /// The visit of a browser; a new one where it has none.
  func visit(of request: WebRequest) -> Visit {
    guard let cookie = request.cookies[cookieName("sessions")],
      let octets = try? Base64.decode(Array(cookie.revealed.utf8), .url),
      let plain = key.open(octets, context: Self.visitContext),
      let json = try? JSONParser.parse(plain), let id = json["id"]?.string,
      let list = json["realms"]?.array
    else { return Visit(id: random.hex(16), realms: []) }
    return Visit(id: id, realms: list.compactMap(\.string))
  }

  /// The cookie that remembers a visit.
  ///
  /// - Parameter realm: One that the browser signs in to now; nil for none.
  func remembering(_ visit: Visit, joining realm: String? = nil) -> SetCookie {
    var realms = visit.realms
    if let realm {
      realms.removeAll { $0.hasSameBytes(as: realm) }
      realms = realms.suffix(9) + [realm]
    }
    var json = JSONWriter()
    json.object { json in
      json.name("id")
      json.string(visit.id)
      json.name("realms")
      json.array { json in for realm in realms { json.string(realm) } }
    }
    let sealed = key.seal(json.bytes, context: Self.visitContext) ?? []
    // It has to come along with the form of a relying party that signs the person out.
    return SetCookie(
      name: cookieName("sessions"), value: Secret(Base64.encode(sealed, .url)), maximumAge: nil,
      sameSite: .none)
  }

  /// Ends a visit: its codes and refresh tokens, what came back from a provider and was not used yet, and the cookies.
  func endVisit(_ request: WebRequest) async throws(TokenError) -> [SetCookie] {
    if request.cookies[cookieName("sessions")] != nil {
      try await grants.end(visit(of: request).id)
    }
    observer.happened(Activity("issuing.signed-out"))
    return [SetCookie.removing(cookieName("sessions"), .none)]
      + (try await endArrival(request))
  }

  /// Removes the session that a provider's answer began.
  func endArrival(_ request: WebRequest) async throws(TokenError) -> [SetCookie] {
    guard let upstream, let cookie = request.cookies[upstream.settings.sessionCookie] else {
      return []
    }
    if let id = SessionID(cookie) { try await upstream.sessions.remove(id) }
    return [
      SetCookie.removing(upstream.settings.sessionCookie, .lax),
      SetCookie.removing(cookieName("arrived"), .lax),
    ]
  }

  private static let visitContext = Array("visit".utf8)
}
