public import ForwardAuthentication
import SignIn
import StrictJSON
public import TokenService

/// The file of a local Access Control Service, read and checked. Files that it names are names here.
public struct ServiceFile: Sendable {
  /// Where the service is, which is also the issuer of its tokens: an address with the path `/`.
  public let issuer: HTTPURL
  /// The name on top of its pages.
  public let name: String
  /// Where it listens.
  public let listen: ListenAddress
  /// The certificate and the private key of TLS; nil to listen on loopback without it.
  public let tls: (certificate: String, key: String)?
  /// The file of its keys, which the first run makes.
  public let keys: String
  /// The file of its state; nil for memory, or for the server that ``shared`` names.
  public let state: String?
  /// The server of its state, which several services share; nil for none.
  public let shared: SharedStoreConfiguration?
  /// The file of the rule groups that the admin pages change.
  public let changedRules: String
  /// The most requests for tokens a second; nil for no limit.
  public let requestsPerSecond: Int?
  /// The relying parties, without the certificates to encrypt for.
  public let relyingParties: [RelyingParty]
  /// The files of those certificates, by realm.
  public let recipients: [String: String]
  /// The files of SAML 2.0 metadata, by realm, which is the entity identifier in them.
  public let metadata: [String: String]
  /// The identity providers.
  public let providers: [OfferedProvider]
  /// The real ones among them, by the names that their kind has.
  public let upstream: [ProviderConfiguration]
  /// The rule groups.
  public let ruleGroups: [RuleGroup]
  /// The service identities, without their certificates.
  public let identities: [ServiceIdentity]
  /// The files of those certificates, by name.
  public let certificates: [String: String]

  /// Reads a file. Unknown members are errors, and every error has its line.
  public static func read(_ octets: [UInt8]) -> (file: Self?, errors: [TokenError]) {
    let json: JSONValue
    do throws(TokenError) {
      json = try JSONParser.parse(octets)
    } catch {
      return (nil, [syntaxError(error)])
    }
    var reader = ServiceFileReader(octets)
    let file = reader.read(json)
    return (reader.errors.isEmpty ? file : nil, reader.errors)
  }

  /// The formats by their names in the file.
  static let formats: [(name: String, format: TokenFormat)] = [
    ("SWT", .swt), ("JWT", .jwt), ("SAML 1.1", .saml11), ("SAML 2.0", .saml20),
  ]

  /// The name of a format in the file.
  static func name(of format: TokenFormat) -> String {
    formats.first { $0.format == format }?.name ?? format.name
  }

  /// What is wrong with a text that is not JSON.
  static func syntaxError(_ error: TokenError) -> TokenError {
    TokenError(
      .issuingFileSyntax, node: error.node, expected: error.expected, found: error.found)
  }
}
