package import Claims
import LocalFiles
import Octets
import SecurityKeys

/// An identity provider as a configuration file describes it. Files are names here.
public struct ProviderConfiguration: Sendable {
  /// The name in addresses.
  public let id: String
  /// The name in the addresses that are registered at the provider; nil for ``id``.
  package var address: String?
  /// Names that it had in earlier versions of the service.
  package var formerIDs: [String] = []
  /// The name that people see; nil for the provider's own.
  public let name: String?
  /// The protocol, and what it needs.
  package let exchange: any ProtocolConfiguration
  /// Whether a sign-in that the provider begins is accepted.
  public let acceptsUnsolicited: Bool
  /// Further names of claims at the provider.
  package let claimSources: ClaimSources
  /// Seconds by which the provider's clock may differ from ours.
  package var skew = Trust.defaultSkew

  /// Whether it is a provider of OpenID Connect, which has addresses of its own here.
  package var isOpenID: Bool { exchange is OpenIDRegistration }

  package init(
    id: String, name: String?, exchange: any ProtocolConfiguration, acceptsUnsolicited: Bool,
    claimSources: ClaimSources = ClaimSources()
  ) {
    self.claimSources = claimSources
    self.id = id
    self.name = name
    self.exchange = exchange
    self.acceptsUnsolicited = acceptsUnsolicited
  }

  /// The provider, whose metadata is read, or fetched and refreshed.
  ///
  /// - Throws: The folder's code for a value that is refused, `key.*`, `xml.*`, `registry.*` and other errors of
  ///   metadata.
  package func provider(
    of service: ConfiguredService, at now: Instant
  ) throws(TokenError) -> SignInProvider {
    do throws(TokenError) {
      var made = try exchange.provider(self, service, at: now)
      made.acceptsUnsolicited = acceptsUnsolicited
      made.claimSources = claimSources
      made.formerIDs = formerIDs
      made.skew = skew
      return made
    } catch {
      // A document that cannot be read does not know its own name.
      guard let file = exchange.metadataFile.map(service.folder.located), error.node != file else {
        throw error
      }
      throw error.within(file)
    }
  }

  /// The member `claims` of an entry, beside its protocol.
  package static func claimSources(
    _ entry: JSONValue, _ file: inout MemberReader
  ) -> ClaimSources {
    var refused: [(JSONValue, String)] = []
    let sources = ClaimSources(entry["claims"]) { refused.append(($0, $1)) }
    for (value, expected) in refused { file.refuse(value, expected) }
    return sources
  }

  /// The member `skew` of an entry, beside its protocol: seconds by which the provider's clock may differ, 60 where the entry says
  /// nothing.
  package static func skew(_ entry: JSONValue, _ file: inout MemberReader) -> Int {
    file.seconds(entry["skew"], Trust.defaultSkew, Trust.skewRange)
  }

  /// The identifier that stands in addresses for a name of any form, such as a URI: the name itself where it can, else a digest
  /// of it.
  package static func identifier(of name: String) -> String {
    guard !isIdentifier(name) else { return name }
    let digest = DigestAlgorithm.sha256.digest(of: Array(name.utf8)) ?? []
    return "id-" + Hex.encode(Array(digest.prefix(8)))
  }

  /// Whether a text can be the identifier of a provider, which stands in addresses, sessions and rules.
  package static func isIdentifier(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text != "any" && text != "." && text != ".."
      && text.utf8.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || "-._~".utf8.contains($0)
      }
  }

  /// What ``isIdentifier(_:)`` wants, in words.
  package static let identifierForm =
    "1 to 64 letters, digits, '-', '.', '_' and '~', and not the word any"
}
