import Octets
public import SecurityKeys
public import SignIn
import TokenBasics

/// The file of a local Access Control Service, read and checked. Files that it names are names here.
public struct ServiceFile: Sendable {
  /// What a secret of the file belongs to.
  public enum SecretPlace: Hashable, Sendable {
    /// The symmetric key of a relying party, by its realm.
    case partyKey(String)
    /// The secret of a relying party as a client, by its realm.
    case clientSecret(String)
    /// The password of a service identity, by its name.
    case password(String)
    /// The symmetric key of a service identity, by its name.
    case identityKey(String)
    /// The initial access token of registration.
    case registration
    /// The password of an admin, by name.
    case admin(String)
  }

  /// Where the admin pages are.
  public enum AdminPlace: String, CaseIterable, Sendable {
    /// At the address of operations alone.
    case operations
    /// Where people sign in.
    case `public`
    /// Nowhere.
    case off
  }

  /// Where the service is, which is also the issuer of its tokens: an address with the path `/`.
  public let issuer: HTTPURL
  /// The name on top of its pages.
  public let name: String
  /// The file of the logo on top of its pages; nil for none.
  public let logo: String?
  /// Where it listens.
  public let listen: HostPort
  /// The proxies before it.
  public let proxy: ProxyPeers
  /// Where health and metrics are answered; nil for nowhere.
  public let operations: HostPort?
  /// Where the admin pages are.
  public let adminPlace: AdminPlace
  /// Who may open them; none for those who know the password of the keys.
  public let admins: [Admin]
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
  /// How many requests for tokens are taken a second.
  public let rates: RequestRates
  /// How clients that no file names may describe themselves; nil for none.
  public let registration: RegistrationConfiguration?
  /// The limits of the calls to each provider and relying party.
  package let outgoing: DependencyLimits
  /// Whether a line of the log is a JSON object.
  package let logsJSON: Bool
  /// Secrets that are in files of their own, by the place that they belong to: there it is nil.
  public let secretFiles: [SecretPlace: String]
  /// The relying parties, without the certificates and keys to encrypt for.
  public let relyingParties: [RelyingParty]
  /// The files of those certificates, or of the JSON Web Keys of relying parties with the format JWT, by realm.
  public let recipientFileByRealm: [String: String]
  /// How JSON Web Tokens are encrypted where it is not by AES-256-GCM, by realm.
  public let encryptionByRealm: [String: ContentEncryption]
  /// Where SAML 2.0 metadata of relying parties is, by realm, which is the entity identifier in it.
  package let metadataByRealm: [String: MetadataLocation]
  /// The identity providers.
  public let providers: [ACSIdentityProvider]
  /// The real ones among them, by the names that their kind has.
  public let upstream: [ProviderConfiguration]
  /// The rule groups.
  public let ruleGroups: [RuleGroup]
  /// The service identities, without their certificates.
  public let identities: [ServiceIdentity]
  /// The authorization servers that take grants of the service.
  public let authorizationServers: [ResourceAuthorizationServer]
  /// The files of the certificates of service identities, by name.
  public let certificateFileByName: [String: String]

  /// Rules that give nothing, since tokens keep the name for themselves. `acs check` refuses them, and a service says so and
  /// works without them.
  public let faults: [TokenError]

  /// The algorithms of JSON Web Tokens that need a key of their own, each once.
  public var webAlgorithms: [SignatureAlgorithm] {
    WebSigningKey.algorithms.filter { algorithm in
      algorithm != .rsaSHA256 && relyingParties.contains { $0.signing == algorithm }
    }
  }

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

  /// What can be read of a file, whatever else is wrong with it; nil for one that is not JSON, or says neither where the service
  /// is nor where it listens. No service is made of it.
  public static func draft(_ octets: [UInt8]) -> Self? {
    guard let json = try? JSONParser.parse(octets) else { return nil }
    var reader = ServiceFileReader(octets)
    return reader.read(json)
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
      .issuingFileSyntax, node: error.node, expected: error.expected,
      found: error.found ?? error.code.summary)
  }

  /// A symmetric key as the file, or a file of its own, writes it: 32 octets or more in base64. Nil for anything else, such
  /// as digits in hexadecimal, which base64 would read as another key.
  public static func symmetricKey(_ text: String) -> SymmetricKey? {
    let isHexadecimal = text.utf8.allSatisfy(Hex.isDigit)
    guard !isHexadecimal, let octets = try? Base64.decode(Array(text.utf8)), octets.count >= 32
    else { return nil }
    return try? SymmetricKey(bytes: octets)
  }
}
