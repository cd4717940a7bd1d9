import Federation
import HTTPExchange
import IssuerRegistry
import JSONWebTokens
import Octets
package import TokenBasics

extension OpenIDRelyingParty {
  /// The claims that the UserInfo endpoint adds to those of a verified ID token (OpenID Connect Core 1.0, 5.3).
  /// What the ID token states is signed, so UserInfo adds nothing of its types but an e-mail address that the ID token
  /// states too, without a word on it, and UserInfo calls verified. Empty where it is not asked.
  ///
  /// - Throws: `signin.no-endpoint`; `transport.malformed-response` without an access token; `signin.user-info` for another subject or another form of answer;
  ///   `transport.*`; for a signed answer the codes of tokens.
  func userInfo(
    _ tokens: TokenAnswer, of subject: String, beside signed: ClaimSet,
    _ projection: ClaimProjection, _ found: OpenIDConfiguration, at now: Instant
  ) async throws(TokenError) -> (claims: [Claim], isEmailDropped: Bool) {
    guard configuration.userInfo.isAsked(beside: signed) else { return ([], false) }
    guard let endpoint = found.userInfoEndpoint else {
      if case .forMissing = configuration.userInfo { return ([], false) }
      throw TokenError(.signInNoEndpoint, node: "userinfo_endpoint")
    }
    if case .forMissing = configuration.userInfo, tokens.accessToken == nil { return ([], false) }
    let accessToken = try tokens.requireAccessToken()
    var request = HTTPRequest(.get, endpoint)
    try request.fields.append("Authorization", "Bearer \(accessToken.revealed)")
    try request.fields.append("Accept", "application/json, application/jwt")
    let answer = try await userInfo(try await transport.response(to: request), at: now)
    guard let named = answer.json["sub"]?.string, named.hasSameBytes(as: subject) else {
      throw TokenError(
        .signInUserInfo, node: "sub", expected: "the subject of the ID token",
        found: answer.json["sub"] == nil ? "nothing" : "another")
    }
    // An address counts by what its own document says of it.
    let (stated, isDropped) = CountedEmail.filter(
      userInfoClaims(answer.json, in: answer.octets), domains: configuration.emailDomains)
    let added = stated.filter {
      signed[$0.type].isEmpty || CountedEmail.confirms($0, signed)
    }
    return (projection.deciding(added), isDropped)
  }

  /// What UserInfo adds to a sign-in.
  struct AddedClaims {
    var claims: [Claim] = []
    var isEmailDropped = false
    /// Why it gave nothing; nil where it did, or was not asked.
    var warning: String?
    /// The types of which something is known although it failed; nil where nothing is unknown.
    var keptTypes: [ClaimType]?
  }

  /// As ``userInfo(_:of:beside:_:_:at:)``. Where nobody said that UserInfo has to be read, a request that fails refuses nobody: the
  /// claims that it was asked for are unknown, and the log says why.
  ///
  /// - Throws: As there where the registration demands UserInfo, and `signin.user-info` for another subject.
  func optionalUserInfo(
    _ tokens: TokenAnswer, of subject: String, beside signed: ClaimSet,
    _ projection: ClaimProjection, _ found: OpenIDConfiguration, at now: Instant
  ) async throws(TokenError) -> AddedClaims {
    do throws(TokenError) {
      let added = try await userInfo(
        tokens, of: subject, beside: signed, projection, found, at: now)
      return AddedClaims(claims: added.claims, isEmailDropped: added.isEmailDropped)
    } catch {
      guard case .forMissing(let needed) = configuration.userInfo, error.code != .signInUserInfo
      else { throw error }
      let known = needed.filter { types in signed.contains { types.contains($0.type) } }
      return AddedClaims(
        warning: error.located(at: Self.endpointNode).asRemark,
        keptTypes: known.flatMap(\.self) + signed.grouped.map(\.type))
    }
  }

  /// The object of an answer, and the octets that it was read from.
  private func userInfo(
    _ response: HTTPResponse, at now: Instant
  ) async throws(TokenError) -> (json: JSONValue, octets: [UInt8]) {
    guard !response.isRedirect else {
      throw TokenError(
        .transportRedirect, node: Self.endpointNode, found: "status \(response.status)")
    }
    guard response.status == 200 else {
      // RFC 6750, 3: what the provider says against the token.
      let words = response.fields["WWW-Authenticate"].map {
        ", " + TokenError.excerpt($0, length: 200)
      }
      throw TokenError(
        .transportStatus, node: Self.endpointNode, expected: "200",
        found: "\(response.status)" + (words ?? ""))
    }
    let octets: [UInt8]
    let json: JSONValue
    if Self.isToken(response) {
      octets = try await userInfoToken(response.body, at: now)
      json = try JSONParser.parse(octets).withoutNulls
    } else {
      octets = response.body
      json = try JSONAnswer.read(response).withoutNulls
    }
    guard json.members != nil else { throw JSONAnswer.malformed("an object", found: json.kindName) }
    return (json, octets)
  }

  private static func isToken(_ response: HTTPResponse) -> Bool {
    let type = response.fields["Content-Type"] ?? ""
    let prefix = type.utf8.prefix("application/jwt".utf8.count).map(ASCII.lowercased)
    return prefix.elementsEqual("application/jwt".utf8)
  }

  // MARK: Signed and encrypted answers

  /// The object in an answer that is a token: signed, encrypted, or both (OpenID Connect Core 1.0, 5.3.2). What is
  /// encrypted alone is vouched for by TLS, as plain JSON is.
  private func userInfoToken(
    _ body: [UInt8], at now: Instant
  ) async throws(TokenError) -> [UInt8] {
    guard !configuration.decryptionKeys.isEmpty, JSONWebEncryption.hasParts(body.span) else {
      return try await signedUserInfo(body, at: now)
    }
    let content: [UInt8]
    do throws(TokenError) {
      let trust = decryption
      content = try JSONWebEncryption(parsing: body).content(
        trust.decryptionKeys, trust.encryptionAlgorithms, exceptions: [], trust.limits)
    } catch {
      throw error.within(Self.endpointNode)
    }
    guard content.first(where: { !ASCII.isWhiteSpace($0) }) != UInt8(ascii: "{") else {
      return content
    }
    return try await signedUserInfo(content, at: now)
  }

  /// The payload of a signed answer, which names the issuer and us (OpenID Connect Core 1.0, 5.3.2). It need not end.
  private func signedUserInfo(
    _ body: [UInt8], at now: Instant
  ) async throws(TokenError) -> [UInt8] {
    guard body.count(where: { $0 == UInt8(ascii: ".") }) == 2 else {
      throw Self.refused(Self.endpointNode, "a signed token", "an encrypted one, or none")
    }
    let signed = try JSONWebSignature(parsing: body)
    do throws(TokenError) {
      return try await payload(of: signed, at: now)
    } catch {
      guard error.code == .unknownKeyID else { throw error.within(Self.endpointNode) }
    }
    await provider.refreshForUnknownKey(at: now)
    do throws(TokenError) {
      return try await payload(of: signed, at: now)
    } catch {
      throw error.within(Self.endpointNode)
    }
  }

  private func payload(
    of signed: JSONWebSignature, at now: Instant
  ) async throws(TokenError) -> [UInt8] {
    let accepted = try await provider.provider(at: now)
    let own = Self.publicAlgorithms(accepted.configuration.userInfoAlgorithms)
    try signed.header.require(.idToken)
    try check(
      signed.signatureAlgorithm,
      isOneOf: own.isEmpty ? signingAlgorithms(accepted.configuration) : own)
    _ = try signed.match(accepted.issuer.ring, at: now)
    let payload = try JSONParser.parse(signed.payload).withoutNulls
    guard payload["iss"]?.string?.hasSameBytes(as: issuer) == true else {
      throw Self.refused("iss", TokenError.excerpt(issuer), payload["iss"]?.kindName ?? "nothing")
    }
    let audiences = payload["aud"].map { $0.array ?? [$0] } ?? []
    guard audiences.contains(where: { $0.string?.hasSameBytes(as: configuration.clientID) == true })
    else { throw Self.refused("aud", "the client", audiences.isEmpty ? "nothing" : "another") }
    if let end = payload["exp"] {
      guard let end = NumericDate.instant(end), now < end.advanced(bySeconds: Int64(skew)) else {
        throw Self.refused("exp", "a time to come", "another")
      }
    }
    return signed.payload
  }

  private static func refused(_ node: String, _ expected: String, _ found: String) -> TokenError {
    TokenError(.signInUserInfo, node: node, expected: expected, found: found)
  }

  private static let endpointNode = "userinfo_endpoint"

  // MARK: Claims

  /// The members as claims of the issuer, as those of a JWT: one for each element of an array, none for
  /// null.
  package func userInfoClaims(_ json: JSONValue, in body: [UInt8]) -> [Claim] {
    JSONClaims.claims(
      of: json, in: body, issuer: issuer, naming: configuration.naming,
      leavingOut: Self.protocolMembers,
      properties: [OpenIDSignIn.sourceProperty: OpenIDSignIn.userInfo])
  }

  /// What the ID token alone states: who, for whom, when and how somebody signed in.
  private static let protocolMembers: Set<String> = [
    "iss", "sub", "aud", "azp", "exp", "nbf", "iat", "jti", "nonce", "at_hash", "c_hash", "acr",
    "amr", "auth_time", "sid",
  ]
}
