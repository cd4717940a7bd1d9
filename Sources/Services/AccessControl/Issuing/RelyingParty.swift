public import Claims
public import HTTPExchange
public import JSONWebTokens
import Octets
public import SecurityKeys
import TokenBasics

/// An application for which the service issues tokens.
public struct RelyingParty: Sendable {
  /// Its name, usually a URI: the audience of its tokens.
  public let realm: String
  /// The name that people see.
  public var name: String
  /// The addresses to which tokens may be posted; the first where a request names none.
  public var returnAddresses: [HTTPURL] = []
  /// The origins of its pages whose scripts read the token endpoint, beside those of its return addresses.
  public var origins: [HTTPOrigin] = []
  /// The apps on a person's device to which codes may go (RFC 8252, 7.1). Nothing else goes there.
  public var appAddresses: [AppURI] = []
  /// Where the browser is sent with an error; nil to show it on a page.
  public var errorAddress: HTTPURL?
  /// Where it is told that a person signed out (OpenID Connect Back-Channel Logout 1.0); nil for nowhere.
  public var backChannelLogout: HTTPURL?
  /// The format of its tokens.
  public var format: TokenFormat
  /// Seconds for which a token is good: 600.
  public var lifetime = TokenDraft.defaultLifetime
  /// The names of its rule groups.
  public var ruleGroups: [String]
  /// The names of the identity providers that it offers; nil for all.
  public var providers: [String]?
  /// The symmetric key of its tokens; nil for that of the namespace.
  public var key: SymmetricKey?
  /// Its secret as a client of OpenID Connect; nil for a public client, which needs a proof key.
  public var clientSecret: Secret?
  /// Whether identifiers of subjects are the same as at other relying parties with this setting; by default they differ
  /// from relying party to relying party, so that two of them cannot put together what they know.
  public var hasPublicIdentifiers = false
  /// Whether the file says `"identifiers": "pairwise"`, so that draft 13 and exchange give no common name unless `protocols`
  /// lists them. WS-Federation keeps the name of the rules.
  public var demandsPairwiseIdentifiers = false
  /// Which clients may exchange tokens for its own, and how much these allow.
  public var exchange = ExchangePolicy()
  /// By which names it gets tokens that it exchanges itself.
  public var clientNames = ClientNames()
  /// Its SAML 2.0 metadata; nil where it does not sign people in by SAML 2.0.
  public var metadata: PartyMetadata?
  /// Whether responses of SAML 2.0 are signed around their signed assertion.
  public var signsResponses = false
  /// The algorithm by which JSON Web Tokens for it are signed, one of ``WebSigningKey/algorithms``.
  public var signing = SignatureAlgorithm.rsaSHA256
  /// Whether its tokens are encrypted: assertions, or where its format is JWT, JSON Web Tokens.
  public var requiresEncryption = false
  /// For whom assertions are encrypted.
  public var recipient: EncryptionRecipient?
  /// For whom JSON Web Tokens are encrypted whose audience it is.
  public var webRecipient: JSONWebEncryptionRecipient?

  /// The protocols that the file lists, which bind service identities, too; nil where it lists none, see ``protocols``.
  public var listedProtocols: Set<PartyProtocol>?

  /// The relying party whose client it is that no file names; nil for one of the file.
  var home: String?

  /// How it describes itself; nil for one of the file.
  var described: DescribedClient?

  /// The realm by which it has rules and knows people.
  var ownRealm: String { home ?? realm }

  /// The service provider of its ``metadata`` as far as it is known without waiting; nil before metadata at an address was
  /// fetched. A value that is set does not change by itself.
  public var serviceProvider: SAMLServiceProvider? {
    get { metadata?.known }
    set { metadata = newValue.map { .fixed($0) } }
  }

  /// A relying party.
  public init(realm: String, name: String? = nil, format: TokenFormat, ruleGroups: [String] = []) {
    self.realm = realm
    self.name = name ?? realm
    self.format = format
    self.ruleGroups = ruleGroups
  }

  /// Whether a token of that format can be encrypted for it.
  func canEncrypt(_ format: TokenFormat) -> Bool {
    format == .saml11 || format == .saml20 || (format == .jwt && webRecipient != nil)
  }

  /// Seconds: the longest lifetime of a token, a day.
  public static let longestLifetime = 86_400

  /// The address to which a token goes: the one that was asked for, if it is registered, or the first.
  ///
  /// A loopback address may have any port, as a program on a person's machine cannot reserve one (RFC 8252, 7.3).
  ///
  /// - Throws: `issuing.reply-address`.
  public func returnAddress(asked text: String?) throws(TokenError) -> HTTPURL {
    guard let text else {
      guard let first = returnAddresses.first else {
        throw TokenError(.issuingReplyAddress, node: name, expected: "a registered address")
      }
      return first
    }
    guard let address = try? HTTPURL(text),
      returnAddresses.contains(where: { Self.isSame(address, as: $0) }),
      // Another spelling of the host or port would be another text to whoever compares.
      address.text.hasSameBytes(as: text) || address.text.hasSameBytes(as: text + "/")
    else {
      throw TokenError(
        .issuingReplyAddress, node: name, found: TokenError.excerpt(text))
    }
    return address
  }

  /// Where a code goes: an app or a web address that is registered.
  ///
  /// - Throws: `issuing.reply-address`.
  public func redirectURI(asked text: String?) throws(TokenError) -> RedirectURI {
    if let text, let app = appAddresses.first(where: { $0.text.hasSameBytes(as: text) }) {
      return .app(app)
    }
    return .web(try returnAddress(asked: text))
  }

  private static func isSame(_ address: HTTPURL, as known: HTTPURL) -> Bool {
    guard known.origin.isLoopback else { return address == known }
    return address.origin.scheme == known.origin.scheme && address.origin.host == known.origin.host
      && address.target.hasSameBytes(as: known.target)
  }
}
