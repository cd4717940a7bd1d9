import HTTPExchange
import Octets
public import TokenBasics

/// The address of a server: `redis://user@host:6379/0`, `rediss://` for TLS, or `unix://user@/run/redis.sock?db=0`.
///
/// A password in it would end in process lists and logs, so it is refused there.
public struct RedisAddress: Hashable, Sendable, CustomStringConvertible {
  /// Whether the connection is TLS.
  public let isSecure: Bool
  /// The host name or IP address, an IPv6 address without brackets; empty for a socket.
  public let host: String
  /// The port; 0 for a socket.
  public let port: Int
  /// The path of a socket of this machine; nil for a host.
  public let socket: String?
  /// The user of an access list; nil for the default one.
  public let user: String?
  /// The number of the database.
  public let database: Int

  /// Reads an address.
  ///
  /// - Throws: `store.address`.
  public init(_ text: String) throws(TokenError) {
    let schemes = ["rediss://", "redis://", "unix://"]
    guard let scheme = schemes.first(where: { text.hasPrefix($0) }) else {
      throw Self.failure("redis://, rediss:// or unix://")
    }
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Self.failure("visible ASCII")
    }
    var place = text.dropFirst(scheme.utf8.count)
    isSecure = scheme == "rediss://"
    user = try Self.user(&place)
    if scheme == "unix://" {
      let parts = place.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let path = String(parts[0])
      guard path.hasPrefix("/"), path.utf8.count <= Self.longestSocket else {
        throw Self.failure("unix:// and an absolute path of at most \(Self.longestSocket) octets")
      }
      (host, port, socket) = ("", 0, path)
      guard parts.count == 1 || parts[1].hasPrefix("db=") else { throw Self.failure("?db=0") }
      database = try Self.database(parts.count == 1 ? nil : parts[1].dropFirst(3))
    } else {
      let parts = place.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      do throws(HostPort.Refusal) {
        let place = try HostPort(parts[0], usualPort: 6_379)
        (host, port) = (place.host, place.port)
      } catch {
        throw Self.failure(error.expected)
      }
      socket = nil
      database = try Self.database(parts.count == 2 && !parts[1].isEmpty ? parts[1] : nil)
    }
  }

  /// Scheme, place and database; no user.
  public var description: String {
    if let socket { return "unix://\(socket)?db=\(database)" }
    return "\(isSecure ? "rediss" : "redis")://\(HostPort(host: host, port: port))/\(database)"
  }

  // MARK: Parts

  /// What the system takes as the path of a socket.
  private static let longestSocket = 100

  /// Takes `user@` off.
  private static func user(_ place: inout Substring) throws(TokenError) -> String? {
    guard let at = place.firstIndex(of: "@") else { return nil }
    let user = String(place[..<at])
    place = place[place.index(after: at)...]
    guard !user.isEmpty, !user.contains(":"), !user.contains("/") else {
      throw failure("a user without a password, which has a file of its own")
    }
    return user
  }

  private static func database(_ text: Substring?) throws(TokenError) -> Int {
    guard let text else { return 0 }
    guard text.utf8.allSatisfy(ASCII.isDigit), let number = Int(text), (0...1_023).contains(number)
    else { throw failure("a database of 0 to 1023") }
    return number
  }

  private static func failure(_ expected: String) -> TokenError {
    TokenError(.storeAddress, expected: expected)
  }
}
