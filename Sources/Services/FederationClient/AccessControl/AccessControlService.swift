public import Federation
public import HTTPExchange

/// The addresses of an Access Control Service namespace, and the realm of one relying party.
///
///     let acs = try AccessControlService(namespace: "talksns", realm: "uri:talks.example.org")
public struct AccessControlService: Sendable {
  /// The address of the namespace, such as `https://talksns.accesscontrol.windows.net/`.
  public let base: HTTPURL
  /// The relying party's realm (`wtrealm`), byte for byte as registered.
  public let realm: String
  /// The issuer name that the service writes into its tokens, byte for byte.
  public let issuer: String

  /// The namespace in Microsoft's former cloud, `https://NAMESPACE.accesscontrol.windows.net/`.
  /// - Throws: `transport.malformed-address` for a namespace that is not letters, digits and hyphens;
  ///   `client.parameter` for an empty realm.
  public init(namespace: String, realm: String) throws(TokenError) {
    let isPlain = namespace.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
    }
    guard isPlain, !namespace.isEmpty else {
      throw TokenError(
        .transportMalformedAddress, expected: "a namespace of letters, digits and hyphens")
    }
    let base = try HTTPURL("https://\(namespace).accesscontrol.windows.net/")
    try self.init(base: base, realm: realm)
  }

  /// A service at another address: self-hosted, or a simulator on loopback.
  ///
  /// - Parameters:
  ///   - base: The address of the service.
  ///   - realm: The realm of the relying party, which is the audience of its tokens.
  ///   - issuer: The issuer name in its tokens; by default the origin of `base` followed by a slash, as in ACS.
  /// - Throws: `client.parameter` for an empty realm.
  public init(base: HTTPURL, realm: String, issuer: String? = nil) throws(TokenError) {
    guard !realm.isEmpty else { throw TokenError(.clientParameter, node: "realm") }
    self.base = base
    self.realm = realm
    self.issuer = issuer ?? base.origin.description + "/"
  }

  /// The address of a path below the base.
  func address(_ path: String) throws(TokenError) -> HTTPURL {
    let folder = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
    return try base.at(path: folder + path)
  }
}

extension AccessControlService {
  /// Verifies that the token is signed by this service's issuer with a key of `trust`, that its audience is
  /// this realm, and that it is valid at `now`. Ignores the other issuers and audiences of `trust`, so a
  /// token of one service is not accepted in response to a request to another.
  ///
  /// - Parameters:
  ///   - token: The token, not verified yet.
  ///   - trust: The trusted issuers and their keys.
  ///   - now: The clock, read once by the caller.
  ///   - nonce: The nonce of the request, which the token must contain. Only a JSON Web Token can; the other
  ///     formats have no field for it.
  /// - Throws: what `TokenValidator` throws; `response.in-response-to-missing` for a nonce with any other
  ///   format.
  public func verify(
    _ token: AnyToken, trust: Trust, at now: Instant, answering nonce: String? = nil
  ) throws(TokenError) -> Verified<AnyToken> {
    guard nonce == nil || token.format == .jwt else {
      throw TokenError(
        .responseUnsolicited, node: "nonce", expected: "a JSON Web Token",
        found: token.format.name)
    }
    return try TokenValidator(narrowed(trust)).validate(
      token.namingClaimsByURI(), at: now, expecting: Expectations(inResponseTo: nonce))
  }

  private func narrowed(_ trust: Trust) -> Trust {
    var narrow = trust
    narrow.audiences = .oneOf([realm])
    narrow.issuers = trust.entries(for: Array(issuer.utf8)[...]).map { trusted in
      var copy = trusted
      copy.name = .exactly(issuer)
      return copy
    }
    return narrow
  }
}
