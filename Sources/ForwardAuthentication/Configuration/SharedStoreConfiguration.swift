public import RedisProtocol
package import StrictJSON

/// A Redis or Valkey server in a configuration file:
/// `{"redis": "rediss://user@host:6379/0", "password": "file:NAME", "trustedRoots": "ca.pem", "namespace": "wiki"}`.
public struct SharedStoreConfiguration: Hashable, Sendable {
  /// Where it is.
  public let address: RedisAddress
  /// The file of the password; nil for none.
  public let password: String?
  /// The file of the certificates that TLS trusts; nil for those of the system.
  public let trustedRoots: String?
  /// What its keys begin with.
  public let namespace: String

  /// A server.
  public init(
    _ address: RedisAddress, password: String? = nil, trustedRoots: String? = nil,
    namespace: String = "federation"
  ) {
    self.address = address
    self.password = password
    self.trustedRoots = trustedRoots
    self.namespace = namespace
  }

  /// Reads the member of a file; nil for one that is refused.
  package init?(_ json: JSONValue, _ file: inout MemberReader) {
    file.members(json, ["redis", "password", "trustedRoots", "namespace"])
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
    self.password = password.map { String($0.dropFirst(5)) }
    trustedRoots = file.text(json["trustedRoots"])
    namespace = file.text(json["namespace"]) ?? "federation"
  }
}
