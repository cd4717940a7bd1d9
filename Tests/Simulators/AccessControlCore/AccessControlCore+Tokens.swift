import Claims
import Federation
import Foundation
import HTTPExchange
import SecurityKeys
import SimulatedService
import Synchronization
import TokenBasics

extension AccessControlCore {
  // MARK: WRAP

  func wrap(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let form = try request.form()
    do {
      let party = try relyingParty(form["wrap_scope"])
      let identity: AccessControlNamespace.ServiceIdentity?
      switch form["wrap_assertion_format"] {
      case nil:
        guard Set(form.keys) == ["wrap_name", "wrap_password", "wrap_scope"] else {
          throw Refusal(400, "name, password and scope, nothing else")
        }
        identity = namespace.identities.first {
          $0.name == form["wrap_name"] && $0.password == form["wrap_password"]
        }
      case "SWT":
        guard Set(form.keys) == ["wrap_assertion", "wrap_assertion_format", "wrap_scope"] else {
          throw Refusal(400, "assertion, format and scope, nothing else")
        }
        identity = try selfSigned(form["wrap_assertion"] ?? "")
      case "SAML":
        guard Set(form.keys) == ["wrap_assertion", "wrap_assertion_format", "wrap_scope"] else {
          throw Refusal(400, "assertion, format and scope, nothing else")
        }
        identity = try vouched(form["wrap_assertion"] ?? "")
      default: throw Refusal(400, "an unknown assertion format")
      }
      guard let identity else { throw ServiceFault.credentials }
      let token = try mint(
        subject: identity.name, claims: identity.claims, for: party, as: .swt)
      // Form-encoded once more, so that the token's own escapes are preserved.
      return .answer(
        200, [("Content-Type", "application/x-www-form-urlencoded; charset=us-ascii")],
        "wrap_access_token="
          + FormEncoding.encode(String(decoding: token.octets, as: UTF8.self))
          + "&wrap_access_token_expires_in=\(party.lifetime - 1)")
    } catch let fault as ServiceFault {
      return fault.wrap
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(500, "\(error)")
    }
  }

  /// The identity whose key made the MAC of an assertion with `Issuer` alone.
  private func selfSigned(
    _ assertion: String
  ) throws(ServiceFault) -> AccessControlNamespace.ServiceIdentity? {
    let mark = "&HMACSHA256="
    let parts = assertion.components(separatedBy: mark)
    guard parts.count == 2,
      let pairs = try? ServerRequest.pairs(parts[0]),
      let identity = namespace.identities.first(where: { $0.name == pairs["Issuer"] }),
      let text = parts[1].removingPercentEncoding,
      let given = try? Base64.decode(Array(text.utf8)),
      let mac = identity.key.authenticate(parts[0].utf8.span, with: .sha256), mac == given
    else { return nil }
    return identity
  }

  private func vouched(
    _ assertion: String
  ) throws -> AccessControlNamespace.ServiceIdentity? {
    let trust = Trust(issuers: namespace.partners, audiences: .oneOf([namespace.issuer]))
    guard let token = try? AnyToken(reading: Array(assertion.utf8)),
      let verified = try? TokenValidator(trust).validate(token, at: time.now)
    else { return nil }
    return namespace.identities.first { $0.name == verified.facts.subject }
  }

  // MARK: OAuth

  /// The relying party's own page on which a person lets a client act.
  func consent(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    var given = try request.parameters()
    let approved = given.removeValue(forKey: "approved")
    // RFC 7636, 4.3, and OpenID Connect Core 1.0, 3.1.2.1, beside draft 13.
    let known: Set = [
      "response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge",
      "code_challenge_method",
    ]
    guard Set(given.keys).isSubset(of: known),
      (given["code_challenge"] == nil) == (given["code_challenge_method"] == nil),
      given["code_challenge_method"] ?? "S256" == "S256",
      // 32 octets in base64url (RFC 7636, 4.2).
      given["code_challenge"]?.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil
        || given["code_challenge"] == nil
    else { throw Refusal(400, "unknown parameter") }
    guard given["response_type"] == "code", let client = given["client_id"],
      let redirect = given["redirect_uri"], let realm = given["scope"],
      let handedBack = given["state"], handedBack.utf8.count >= 16,
      let identity = namespace.identities.first(where: { $0.name == client }),
      isRegistered(redirect, among: identity.redirectURIs)
    else { throw Refusal(400, "not a request for a code") }
    guard let approved else {
      let here = TokenEnvelope.escaped("/consent?" + (request.query ?? ""))
      return .html(
        "<a id=\"approve\" href=\"\(here)&amp;approved=yes\">Allow</a>"
          + "<a id=\"decline\" href=\"\(here)&amp;approved=no\">Do not</a>")
    }
    let back = { (name: String, value: String) in
      "\(redirect)?\(name)=\(HTTPURL.percentEncoded(value))"
        + "&state=\(HTTPURL.percentEncoded(handedBack))"
    }
    guard approved == "yes", let user = namespace.providers.first else {
      return .found(back("error", "access_denied"))
    }
    let code = TokenDraft.unpredictableID()
    state.withLock {
      $0.codes[code] = Code(
        client: client, realm: realm, redirectURI: redirect, user: user,
        expires: time.now.advanced(bySeconds: 900), nonce: given["nonce"],
        challenge: given["code_challenge"])
    }
    return .found(back("code", code))
  }

  func oauth(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let form = try request.form()
    let own: [String: Set<String>] = [
      "client_credentials": [], "authorization_code": ["code", "redirect_uri", "code_verifier"],
      "refresh_token": ["refresh_token"],
    ]
    let common: Set = ["grant_type", "client_id", "client_secret", "scope"]
    if let fields = own[form["grant_type"] ?? ""] {
      guard Set(form.keys).isSubset(of: common.union(fields)) else {
        throw Refusal(400, "a field of another grant")
      }
    }
    // RFC 7636, 4.1.
    guard
      form["code_verifier"]?.wholeMatch(of: /[A-Za-z0-9._~-]{43,128}/) != nil
        || form["code_verifier"] == nil
    else { throw Refusal(400, "no code verifier") }
    do {
      let party = try relyingParty(form["scope"])
      guard let id = form["client_id"], let secret = form["client_secret"] else {
        throw ServiceFault.missing("client_id")
      }
      guard
        let client = namespace.identities.first(where: { $0.name == id && $0.password == secret })
      else { throw ServiceFault.credentials }
      switch form["grant_type"] {
      case "client_credentials":
        let token = try mint(subject: client.name, claims: client.claims, for: party)
        return Self.tokenAnswer(token, party, refresh: nil)
      case "authorization_code":
        let code = form["code"].flatMap { code in
          state.withLock { $0.codes.removeValue(forKey: code) }
        }
        guard let code, code.client == id, code.realm == party.realm, code.expires > time.now,
          code.redirectURI == form["redirect_uri"],
          code.challenge == form["code_verifier"].flatMap(Self.challenge)
        else { throw ServiceFault.grant }
        return try delegated(code, party)
      case "refresh_token":
        let grant = form["refresh_token"].flatMap { token in
          state.withLock { $0.refreshTokens.removeValue(forKey: token) }
        }
        guard let grant, grant.client == id, grant.realm == party.realm else {
          throw ServiceFault.grant
        }
        return try delegated(grant, party)
      default: throw ServiceFault.grantType
      }
    } catch let fault as ServiceFault {
      return fault.oauth
    } catch {
      throw Refusal(500, "\(error)")
    }
  }

  /// The challenge of a verifier (RFC 7636, 4.2).
  private static func challenge(_ verifier: String) -> String? {
    DigestAlgorithm.sha256.digest(of: Array(verifier.utf8)).map { Base64.encode($0, .url) }
  }

  private func delegated(
    _ grant: Code, _ party: AccessControlNamespace.RelyingParty
  ) throws -> HTTPResponse {
    var said = try claims(of: grant.user)
    // OpenID Connect Core 1.0, 2: unchanged from the request, only in a JSON Web Token.
    if party.format == .jwt, party.writesNonce, let nonce = grant.nonce {
      said.append(Claim("nonce", nonce))
    }
    let token = try mint(subject: grant.user.subject, claims: said, for: party)
    let refresh = TokenDraft.unpredictableID()
    state.withLock { $0.refreshTokens[refresh] = grant }
    return Self.tokenAnswer(token, party, refresh: refresh)
  }

  /// The lifetime is a string, and ampersands are escaped: both like the service.
  private static func tokenAnswer(
    _ token: IssuedToken, _ party: AccessControlNamespace.RelyingParty, refresh: String?
  ) -> HTTPResponse {
    var json = JSONWriter()
    json.object { json in
      json.name("token_type")
      json.string(token.typeURI)
      json.name("access_token")
      json.string(String(decoding: token.octets, as: UTF8.self))
      json.name("expires_in")
      json.string("\(party.lifetime)")
      json.name("scope")
      json.string(party.realm)
      if let refresh {
        json.name("refresh_token")
        json.string(refresh)
      }
    }
    return .json(String(decoding: json.bytes, as: UTF8.self).replacing("&", with: "\\u0026"))
  }
}
