package import HTTPExchange
package import TokenBasics

/// A Redis or Valkey server in a configuration file:
/// `{"redis": "rediss://user@host:6379/0", "password": "file:NAME", "trustedRoots": "ca.pem", "certificate":
/// "client.crt", "privateKey": "client.key", "namespace": "wiki", "mayForget": false}`.
public struct SharedStoreConfiguration: Hashable, Sendable {
  /// Where it is.
  public let address: RedisAddress
  /// The file of the password; nil for none.
  public let password: String?
  /// The file of the certificates that TLS trusts; nil for those of the system.
  public let trustedRoots: String?
  /// The file of the certificate with which TLS names this client; nil for none.
  public let certificate: String?
  /// The file of its private key.
  public let privateKey: String?
  /// Whether answers are accepted though the server may forget that they were used.
  public let mayForget: Bool
  /// What its keys begin with.
  public let namespace: String

  /// A server.
  public init(
    _ address: RedisAddress, password: String? = nil, trustedRoots: String? = nil,
    certificate: String? = nil, privateKey: String? = nil, namespace: String = "federation",
    mayForget: Bool = false
  ) {
    self.address = address
    self.password = password
    self.trustedRoots = trustedRoots
    self.certificate = certificate
    self.privateKey = privateKey
    self.namespace = namespace
    self.mayForget = mayForget
  }

  /// Reads the member of a file; nil for one that is refused.
  package init?(_ json: JSONValue, _ file: inout MemberReader) {
    file.members(
      json,
      [
        "redis", "password", "trustedRoots", "certificate", "privateKey", "namespace", "mayForget",
      ])
    guard let value = json["redis"], let text = file.text(value) else {
      if json["redis"] == nil { let _: String? = file.required(json, "redis") }
      return nil
    }
    do throws(TokenError) {
      address = try RedisAddress(text)
    } catch {
      // The address is not repeated: it may have a password in it.
      file.refuse(value, error.expected ?? "an address", "something else")
      return nil
    }
    let password = file.text(json["password"])
    if let password, !password.hasPrefix("file:") {
      file.refuse(json["password"] ?? json, "file:NAME", "something else")
      return nil
    }
    if address.user != nil, password == nil {
      file.refuse(value, "a password beside the user, in a file that \"password\" names")
      return nil
    }
    self.password = password.map { String($0.dropFirst(5)) }
    certificate = file.text(json["certificate"])
    privateKey = file.text(json["privateKey"])
    Self.checkTLS(json, address, &file)
    if let value = json["mayForget"], value.bool == nil {
      file.refuse(value, "true or false")
      return nil
    }
    mayForget = json["mayForget"]?.bool ?? false
    trustedRoots = file.text(json["trustedRoots"])
    namespace = file.text(json["namespace"]) ?? "federation"
  }

  /// A certificate comes with its key, and both with an address of TLS.
  private static func checkTLS(
    _ json: JSONValue, _ address: RedisAddress, _ file: inout MemberReader
  ) {
    if (json["certificate"] == nil) != (json["privateKey"] == nil) {
      file.refuse(json["certificate"] ?? json["privateKey"] ?? json, "certificate and privateKey")
    } else if !address.isSecure, let value = json["certificate"] ?? json["trustedRoots"] {
      file.refuse(value, "rediss:// in redis, since it is of TLS")
    }
  }
}

extension MemberReader {
  /// Where to listen: `host:port`, or `unix:` and the absolute path of a socket; nil for a member that is refused, or
  /// missing.
  package mutating func listener(_ value: JSONValue?) -> HostPort? {
    guard let value, let text = value.string, text.utf8.starts(with: "unix:".utf8) else {
      return hostPort(value)
    }
    let path = String(text.dropFirst("unix:".count))
    // A socket's name has 108 bytes on Linux and 104 elsewhere, the last of them 0.
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= 103, !path.utf8.contains(0)
    else {
      refuse(value, "unix: and an absolute path of at most 103 bytes")
      return nil
    }
    return HostPort(socket: path)
  }

  /// The host and the port of a member; nil for one that is refused, or missing.
  package mutating func hostPort(_ value: JSONValue?) -> HostPort? {
    guard let value, let text = text(value) else { return nil }
    do throws(HostPort.Refusal) {
      return try HostPort(text)
    } catch {
      refuse(value, error.expected)
      return nil
    }
  }
}
