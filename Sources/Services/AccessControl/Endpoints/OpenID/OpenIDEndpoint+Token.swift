import HTTPExchange
import Octets
import SignIn

extension OpenIDEndpoint {
  /// `/v2/openid/token` (OpenID Connect Core 1.0, 3.1.3).
  func redeem(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let form = try service.form(request)
    let (party, hasSecret) = try client(form, request)
    guard form["grant_type"] == "authorization_code" else {
      throw TokenError(.issuingGrantType, expected: "authorization_code")
    }
    let redeemer = Redeemer(
      client: party.realm, realm: party.realm, redirect: form["redirect_uri"] ?? "",
      verifier: form["code_verifier"], hasSecret: hasSecret)
    let code = try form.require("code")
    let grant = try await service.grants.redeem(.code(code, of: .openID), by: redeemer).grant
    let token = try service.namespace.idToken(
      grant.subject, to: party, nonce: grant.nonce, at: service.clock.now)
    service.note(party.realm, grant.subject.source.name ?? "", "ID token")
    var json = JSONWriter()
    json.object { json in
      json.name("access_token")
      // RFC 6749 5.1 requires an access token; no endpoint of this service accepts it.
      json.string(service.random.hex(20))
      json.name("token_type")
      json.string("Bearer")
      json.name("expires_in")
      json.integer(party.lifetime)
      json.name("id_token")
      json.string(String(decoding: token, as: UTF8.self))
    }
    return service.responder.response(200, "application/json", json.bytes)
  }

  /// The client of a request, and whether it proved who it is (OpenID Connect Core 1.0, 9). Wrong secrets cost time.
  private func client(
    _ form: FormReader, _ request: WebRequest
  ) throws(TokenError) -> (RelyingParty, hasSecret: Bool) {
    var id = form["client_id"]
    var secret = form["client_secret"]
    if let header = request.fields["Authorization"] {
      guard secret == nil, let basic = Self.basic(header),
        id == nil || id.hasSameBytes(as: basic.name)
      else { throw TokenError(.issuingClientSecret) }
      (id, secret) = (basic.name, basic.password)
    }
    let address = request.peer ?? ""
    let name = "client:" + (id ?? "")
    guard let id, let party = try? service.namespace.relyingParty(id) else {
      service.guesses.failed(name, from: address)
      throw TokenError(.issuingClient)
    }
    guard let known = party.clientSecret else { return (party, false) }
    try service.guesses.admit(name, from: address)
    guard let secret,
      ConstantTime.areEqual(Array(known.revealed.utf8), Array(secret.utf8))
    else {
      service.guesses.failed(name, from: address)
      throw TokenError(.issuingClientSecret)
    }
    service.guesses.succeeded(name, from: address)
    return (party, true)
  }

  /// The name and password of a header (RFC 7617, 2: the scheme in any case; RFC 6749, 2.3.1: form-encoded parts).
  private static func basic(_ header: String) -> (name: String, password: String)? {
    let octets = Array(header.utf8)
    guard octets.prefix(6).map(ASCII.lowercased) == Array("basic ".utf8),
      let pair = try? Base64.decode(Array(octets.dropFirst(6).drop { $0 == ASCII.space })),
      let colon = pair.firstIndex(of: UInt8(ascii: ":")),
      let name = try? FormEncoding.decode(pair[..<colon]),
      let password = try? FormEncoding.decode(pair[(colon + 1)...])
    else { return nil }
    return (String(decoding: name, as: UTF8.self), String(decoding: password, as: UTF8.self))
  }
}
