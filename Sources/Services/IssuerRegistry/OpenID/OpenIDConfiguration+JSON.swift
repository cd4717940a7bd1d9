import Octets
import TokenBasics

extension OpenIDConfiguration {
  /// Reads a discovery document (OpenID Connect Discovery 1.0, 4.2 and 4.3).
  ///
  /// - Parameters:
  ///   - document: The discovery document, JSON.
  ///   - issuer: The configured issuer, which the document must name byte for byte.
  /// - Throws: `input.json-*`, `input.html`, `input.not-utf8`; `registry.entity-mismatch` for
  ///   another issuer;
  /// `transport.malformed-address`, `transport.insecure-address` and `registry.endpoint-address`
  /// for an
  ///   endpoint.
  public init(parsing document: [UInt8], issuer: String) throws(TokenError) {
    let json: JSONValue
    do {
      json = try JSONParser.parse(document).withoutNulls
    } catch {
      throw FetchedDocument.page(document, inPlaceOf: "a discovery document") ?? error
    }
    guard json.members != nil else {
      throw TokenError(.jsonMember, expected: "an object", found: json.kindName)
    }
    let reader = Reader(json: json, issuer: try HTTPURL(issuer))
    let found = try reader.text("issuer")
    guard found.hasSameBytes(as: issuer) else {
      throw TokenError(
        .registryEntityMismatch, node: "issuer", expected: TokenError.excerpt(issuer),
        found: TokenError.excerpt(found), hint: IssuerTemplate.warning(about: found))
    }
    self.issuer = issuer
    authorizationEndpoint = try reader.signInAddress("authorization_endpoint")
    tokenEndpoint = try reader.signInAddress("token_endpoint")
    keySetAddress = try reader.address("jwks_uri")
    userInfoEndpoint = try reader.optionalAddress("userinfo_endpoint")
    endSessionEndpoint = try reader.optionalAddress("end_session_endpoint")
    signingAlgorithms = try reader.list("id_token_signing_alg_values_supported")
    userInfoAlgorithms = try reader.list("userinfo_signing_alg_values_supported")
    authenticationAlgorithms =
      try reader.list("token_endpoint_auth_signing_alg_values_supported")
    authenticationMethods =
      try reader.list("token_endpoint_auth_methods_supported", default: ["client_secret_basic"])
    responseTypes = try reader.list("response_types_supported")
    responseModes = try reader.list("response_modes_supported", default: ["query", "fragment"])
    codeChallengeMethods = try reader.list("code_challenge_methods_supported")
    scopes = try reader.list("scopes_supported")
    contexts = try reader.list("acr_values_supported")
    prompts = try reader.list("prompt_values_supported")
    namesIssuerInAnswers = try reader.flag("authorization_response_iss_parameter_supported")
    sendsLogoutTokens = try reader.flag("backchannel_logout_supported")
    namesSessionInLogoutTokens = try reader.flag("backchannel_logout_session_supported")
  }

  /// The members of the document, each of exactly the type that the standard gives it.
  private struct Reader {
    let json: JSONValue
    let issuer: HTTPURL

    func text(_ name: String) throws(TokenError) -> String {
      guard let member = json[name], let text = member.string, !text.isEmpty else {
        throw wrong(name, "a string")
      }
      return text
    }

    func address(_ name: String) throws(TokenError) -> HTTPURL {
      let text = try text(name)
      let address: HTTPURL
      do throws(TokenError) {
        address = try HTTPURL(text)
      } catch {
        throw error.located(at: name)
      }
      guard issuer.origin.mayName(address.origin) else {
        throw TokenError(
          .registryEndpointAddress, node: name, expected: "a host name, or the issuer's own host",
          found: TokenError.excerpt(address.origin.description))
      }
      return address
    }

    func optionalAddress(_ name: String) throws(TokenError) -> HTTPURL? {
      json[name] == nil ? nil : try address(name)
    }

    /// An endpoint of the code flow; nil too where a name says that there is none, as
    /// `urn:kubernetes:programmatic_authorization` does.
    func signInAddress(_ name: String) throws(TokenError) -> HTTPURL? {
      let scheme = json[name]?.string?.utf8.prefix(4).map(ASCII.lowercased) ?? []
      return scheme.elementsEqual("urn:".utf8) ? nil : try optionalAddress(name)
    }

    func list(_ name: String, default usual: [String] = []) throws(TokenError) -> [String] {
      guard json[name] != nil else { return usual }
      guard let elements = json[name]?.array else { throw wrong(name, "an array of strings") }
      var list: [String] = []
      for element in elements {
        guard let text = element.string else { throw wrong(name, "an array of strings") }
        list.append(text)
      }
      return list
    }

    func flag(_ name: String) throws(TokenError) -> Bool {
      guard json[name] != nil else { return false }
      guard let value = json[name]?.bool else { throw wrong(name, "a boolean") }
      return value
    }

    private func wrong(_ name: String, _ expected: String) -> TokenError {
      TokenError(
        .jsonMember, node: name, expected: expected, found: json[name]?.kindName ?? "nothing")
    }
  }
}
