import HTTPExchange
import Federation
import IssuerRegistry
import JSONWebTokens
import Octets

extension OpenIDRelyingParty {
  /// The claims that the UserInfo endpoint adds to those of a verified ID token (OpenID Connect Core 1.0, 5.3).
  /// What the ID token states is signed, so UserInfo adds nothing of its types.
  ///
  /// - Throws: `signin.no-endpoint`; `signin.user-info` for another subject or a signed answer;
  ///   `transport.*`.
  func userInfo(
    _ accessToken: Secret, of subject: String, beside verified: Verified<JSONWebToken>,
    _ found: OpenIDConfiguration
  ) async throws(TokenError) -> (claims: [Claim], isEmailDropped: Bool) {
    guard let endpoint = found.userInfoEndpoint else {
      throw TokenError(.signInNoEndpoint, node: "userinfo_endpoint")
    }
    var request = HTTPRequest(.get, endpoint)
    try request.fields.append("Authorization", "Bearer \(accessToken.revealed)")
    try request.fields.append("Accept", "application/json")
    let response = try await transport.response(to: request)
    let json = try Self.userInfo(response)
    guard let named = json["sub"]?.string, named.hasSameBytes(as: subject) else {
      throw TokenError(
        .signInUserInfo, node: "sub", expected: "the subject of the ID token",
        found: json["sub"] == nil ? "nothing" : "another")
    }
    let signed = verified.claims
    // An address counts by what its own document says of it.
    let (stated, isDropped) = CountedEmail.filter(
      claims(of: json, in: response.body), domains: configuration.emailDomains)
    let added = stated.filter { signed[$0.type].isEmpty }.compactMap(verified.projection.apply)
    return (added, isDropped)
  }

  private static func userInfo(_ response: HTTPResponse) throws(TokenError) -> JSONValue {
    let node = "userinfo_endpoint"
    guard !response.isRedirect else {
      throw TokenError(.transportRedirect, node: node, found: "status \(response.status)")
    }
    guard response.status == 200 else {
      throw TokenError(.transportStatus, node: node, expected: "200", found: "\(response.status)")
    }
    let type = response.fields["Content-Type"] ?? ""
    let prefix = type.utf8.prefix("application/jwt".utf8.count).map(ASCII.lowercased)
    guard !prefix.elementsEqual("application/jwt".utf8) else {
      throw TokenError(
        .signInUserInfo, node: node, expected: "application/json", found: "application/jwt")
    }
    let json = try JSONAnswer.read(response)
    guard json.members != nil else { throw JSONAnswer.malformed("an object", found: json.kindName) }
    return json
  }

  /// The members as claims of the issuer, as those of a JWT: one for each element of an array, none for
  /// null.
  private func claims(of json: JSONValue, in body: [UInt8]) -> [Claim] {
    var claims: [Claim] = []
    for (name, value) in json.members ?? [] where !Self.protocolMembers.contains(name) {
      let type = ClaimType(configuration.naming.uri(for: name) ?? name)
      for element in value.array ?? [value] {
        if case .null = element.kind { continue }
        let text = element.string
        claims.append(
          Claim(
            type, text ?? Self.text(of: element, in: body), issuer: issuer,
            valueType: text == nil ? JSONWebToken.jsonType : Claim.stringType, originalName: name,
            properties: [OpenIDSignIn.sourceProperty: OpenIDSignIn.userInfo]))
      }
    }
    return claims
  }

  private static func text(of value: JSONValue, in body: [UInt8]) -> String {
    String(decoding: body[value.range.clamped(to: body.indices)], as: UTF8.self)
  }

  /// What the ID token alone states: who, for whom, when and how somebody signed in.
  private static let protocolMembers: Set<String> = [
    "iss", "sub", "aud", "azp", "exp", "nbf", "iat", "jti", "nonce", "at_hash", "c_hash", "acr",
    "amr", "auth_time", "sid",
  ]
}
