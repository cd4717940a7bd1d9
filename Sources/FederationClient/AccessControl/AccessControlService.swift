public import Federation
public import HTTPExchange

/// An Access Control Service namespace as one relying party sees it: addresses and the realm.
///
///     let acs = try AccessControlService(namespace: "talksns", realm: "uri:talks.example.org")
public struct AccessControlService: Sendable {
  /// The namespace's address, such as `https://talksns.accesscontrol.windows.net/`.
  public let base: HTTPURL
  /// The relying party, exactly as it is registered.
  public let realm: String
  /// What its tokens name as their issuer, exactly.
  public let issuer: String

  /// The service of that namespace in Microsoft's former cloud.
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

  /// A service elsewhere: self-hosted, or a simulator on this machine's loopback.
  /// - Parameter issuer: What its tokens name as their issuer; by default the base address's origin
  ///   with a slash behind it, as ACS does it.
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
