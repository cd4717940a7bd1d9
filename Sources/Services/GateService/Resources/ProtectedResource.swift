public import HTTPExchange
import Octets
import SignIn
public import TokenBasics

/// What programs get tokens for: the path of an application and everything below it (RFC 9728; RFC 8707).
///
/// A program that has no token is told where the description is, finds in it who gives tokens, and asks for one that is for this
/// resource alone.
public struct ProtectedResource: Hashable, Sendable {
  /// The identifier: the audience of its tokens.
  public let identifier: String
  /// The issuers that give tokens.
  public let authorizationServers: [String]
  /// The scopes that there are.
  public let scopes: [String]
  /// The origin of the identifier.
  public let origin: HTTPOrigin
  /// The path of the identifier.
  public let path: RequestTarget
  /// Where the description is, below the origin.
  public let metadataPath: String
  /// The address of the description.
  public let metadataAddress: String

  /// A resource.
  ///
  /// - Parameters:
  ///   - identifier: Its address, without a query. Audiences are compared with it octet by octet, so that
  ///     `https://api.example` and `https://api.example/` differ.
  ///   - authorizationServers: The issuers that give tokens.
  ///   - scopes: The scopes that there are.
  /// - Throws: `gate.file-value` for an address that is not written as clients write it, or with a query;
  ///   `gate.path` for a path with more than one reading.
  public init(
    _ identifier: String, authorizationServers: [String], scopes: [String] = []
  ) throws(TokenError) {
    guard let url = try? HTTPURL(identifier), url.query == nil,
      url.text.hasSameBytes(as: identifier) || url.text.hasSameBytes(as: identifier + "/")
    else {
      throw TokenError(
        .gateValue, expected: "an address with its host in lower case, without a query",
        found: TokenError.excerpt(identifier))
    }
    path = try RequestTarget(url.path)
    origin = url.origin
    self.identifier = identifier
    self.authorizationServers = authorizationServers
    self.scopes = scopes
    // RFC 9728, 3.1: between host and path, and a slash that stands alone goes.
    metadataPath = Self.wellKnown + (url.path == "/" ? "" : url.path)
    metadataAddress = url.origin.description + metadataPath
  }

  private static let wellKnown = "/.well-known/oauth-protected-resource"

  /// The description (RFC 9728, 2 and 3.2).
  var metadata: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("resource", identifier)
      json.name("authorization_servers")
      json.array { json in for server in authorizationServers { json.string(server) } }
      if !scopes.isEmpty {
        json.name("scopes_supported")
        json.array { json in for scope in scopes { json.string(scope) } }
      }
      json.name("bearer_methods_supported")
      json.array { json in json.string("header") }
    }
    return json.bytes + Array("\n".utf8)
  }
}

extension TokenChallenge {
  /// A challenge that says where a program finds who gives tokens, and what for (RFC 9728, 5.1).
  ///
  /// - Parameters:
  ///   - resource: What the request is for; nil for a path that is not of a resource.
  ///   - scopes: The scopes that the request needs; nil where the challenge names others, or none.
  init(for resource: ProtectedResource?, scopes: [String]? = nil) {
    self.init()
    guard let resource else { return }
    add("resource_metadata", resource.metadataAddress)
    guard let scopes else { return }
    let wanted = scopes.isEmpty ? resource.scopes : scopes
    if !wanted.isEmpty { add("scope", wanted.joined(separator: " ")) }
  }
}
