import Octets
public import TokenErrors

/// The address of a server: `redis://user@host:6379/0`, or `rediss://` for TLS.
///
/// A password in it would end in process lists and logs, so it is refused there.
public struct RedisAddress: Hashable, Sendable, CustomStringConvertible {
  /// Whether the connection is TLS.
  public let isSecure: Bool
  /// The host name or IP address.
  public let host: String
  /// The port.
  public let port: Int
  /// The user of an access list; nil for the default one.
  public let user: String?
  /// The number of the database.
  public let database: Int

  /// Reads an address.
  ///
  /// - Throws: `store.address`.
  public init(_ text: String) throws(TokenError) {
    func failure(_ expected: String) -> TokenError {
      TokenError(.storeAddress, expected: expected)
    }
    let schemes = [("rediss://", true), ("redis://", false)]
    guard let (scheme, isSecure) = schemes.first(where: { text.hasPrefix($0.0) }) else {
      throw failure("redis:// or rediss://")
    }
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw failure("visible ASCII")
    }
    let rest = text.dropFirst(scheme.utf8.count)
    let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let authority = parts[0].split(separator: "@", omittingEmptySubsequences: false)
    guard authority.count <= 2, let place = authority.last else { throw failure("user@host:port") }
    user = authority.count == 2 ? String(authority[0]) : nil
    guard user.map({ !$0.isEmpty && !$0.contains(":") }) ?? true else {
      throw failure("a user without a password, which has a file of its own")
    }
    let pair = place.split(separator: ":", omittingEmptySubsequences: false)
    let port = pair.count == 2 ? Int(pair[1]) : 6_379
    guard (1...2).contains(pair.count), let host = pair.first, !host.isEmpty,
      host.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x2E }),
      let port, (1...65_535).contains(port)
    else { throw failure("host:port, with a port of 1 to 65535") }
    let database = parts.count == 2 && !parts[1].isEmpty ? Int(parts[1]) : 0
    guard let database, (0...1_023).contains(database) else {
      throw failure("a database of 0 to 1023")
    }
    self.isSecure = isSecure
    self.host = String(host)
    self.port = port
    self.database = database
  }

  /// Scheme, host, port and database; no user.
  public var description: String {
    "\(isSecure ? "rediss" : "redis")://\(host):\(port)/\(database)"
  }
}
