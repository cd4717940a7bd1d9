public import BrowserExchange
public import HTTPExchange
public import SecurityKeys

/// An account of a program, which gets tokens without a person; also a client of the OAuth endpoint.
public struct ServiceIdentity: Sendable {
  /// Its name.
  public let name: String
  /// Its password; nil for none.
  public var password: Secret?
  /// The key with which it signs assertions about itself; nil for none.
  public var key: SymmetricKey?
  /// The certificate with whose key it signs assertions about itself; nil for none.
  public var certificate: Certificate?
  /// Where the authorization codes of its users may go.
  public var redirectAddresses: [HTTPURL] = []

  /// An account.
  public init(name: String, password: Secret? = nil, key: SymmetricKey? = nil) {
    self.name = name
    self.password = password
    self.key = key
  }
}
