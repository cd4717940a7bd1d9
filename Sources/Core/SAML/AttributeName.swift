import Claims
import Octets
import XMLTree

/// The attributes that both versions of SAML use, in no namespace unless noted.
enum AttributeName {
  static let id = ExpandedName("ID")
  static let assertionID = ExpandedName("AssertionID")
  static let responseID = ExpandedName("ResponseID")
  static let version = ExpandedName("Version")
  static let majorVersion = ExpandedName("MajorVersion")
  static let minorVersion = ExpandedName("MinorVersion")
  static let issuer = ExpandedName("Issuer")
  static let issueInstant = ExpandedName("IssueInstant")
  static let destination = ExpandedName("Destination")
  static let recipient = ExpandedName("Recipient")
  static let inResponseTo = ExpandedName("InResponseTo")
  static let value = ExpandedName("Value")
  static let format = ExpandedName("Format")
  static let nameQualifier = ExpandedName("NameQualifier")
  static let spNameQualifier = ExpandedName("SPNameQualifier")
  static let spProvidedID = ExpandedName("SPProvidedID")
  static let method = ExpandedName("Method")
  static let notBefore = ExpandedName("NotBefore")
  static let notOnOrAfter = ExpandedName("NotOnOrAfter")
  static let authnInstant = ExpandedName("AuthnInstant")
  static let authenticationInstant = ExpandedName("AuthenticationInstant")
  static let authenticationMethod = ExpandedName("AuthenticationMethod")
  static let sessionIndex = ExpandedName("SessionIndex")
  static let sessionNotOnOrAfter = ExpandedName("SessionNotOnOrAfter")
  static let name = ExpandedName("Name")
  static let nameFormat = ExpandedName("NameFormat")
  static let friendlyName = ExpandedName("FriendlyName")
  static let attributeName = ExpandedName("AttributeName")
  static let attributeNamespace = ExpandedName("AttributeNamespace")

  /// Of SAML 1.1, a qualified name.
  static let authorityKind = ExpandedName("AuthorityKind")

  static let xsi = "http://www.w3.org/2001/XMLSchema-instance"
  static let xsiNil = ExpandedName("nil", in: xsi)
  static let xsiType = ExpandedName("type", in: xsi)
  static let originalIssuer = ExpandedName(
    "OriginalIssuer", in: "http://schemas.xmlsoap.org/ws/2009/09/identity/claims")
  static let originalIssuer2008 = ExpandedName(
    "OriginalIssuer", in: "http://schemas.microsoft.com/ws/2008/06/identity")
}

/// The names that reading attributes asks for again and again, looked up once: what is static is made
/// when it is first used, which every use checks.
final class AttributeElementNames: Sendable {
  static let shared = AttributeElementNames()

  let attribute = SAML2Name.attribute
  let encryptedAttribute = SAML2Name.encryptedAttribute
  let attributeValue = SAML2Name.attributeValue
  let name = AttributeName.name
  let nameFormat = AttributeName.nameFormat
  let friendlyName = AttributeName.friendlyName
  let originalIssuer = AttributeName.originalIssuer
  let originalIssuer2008 = AttributeName.originalIssuer2008
  let xsiNil = AttributeName.xsiNil
  let xsiType = AttributeName.xsiType
  let stringType = ClaimTable.constants.stringType
  let nameFormatProperty = ClaimTable.constants.attributeName
  let friendlyNameProperty = ClaimTable.constants.friendlyName
}

/// The attributes that an assertion had so far, by what makes two Attribute elements one attribute
/// (SAML Core 2.7.3.1).
struct AttributeNames: ~Copyable {
  /// Both as claim types, which are equal only where every byte is.
  private struct Key: Hashable {
    let name: ClaimType
    let format: ClaimType?
  }

  private struct Entry: BitwiseCopyable {
    let name: ClaimText
    let format: ClaimText?
  }

  private var attributes: GrowableBuffer<Entry>
  /// The same, from the first name on that came twice: few assertions have one.
  private var keys: Set<Key>?
  /// Their names, from then on too.
  private var names: Set<ClaimType> = []

  /// What an attribute has in common with those before it.
  enum Repetition {
    /// Nothing.
    case none
    /// Name and NameFormat: one attribute in several elements.
    case same
    /// The Name alone: two attributes that become one claim.
    case otherFormat
  }

  init(count: Int) { attributes = GrowableBuffer(capacity: count) }

  /// Adds an attribute. Returns whether it, or another of its name, was there before.
  ///
  /// - Parameter mayBe: Whether anything had its name before.
  mutating func repetition(
    of name: ClaimText, _ format: ClaimText?, mayBe: Bool, _ claims: borrowing ClaimTableBuilder
  ) -> Repetition {
    func key(_ name: ClaimText, _ format: ClaimText?) -> Key {
      Key(
        name: ClaimType(claims.string(name)),
        format: format.map { ClaimType(claims.string($0)) })
    }
    if keys == nil, mayBe {
      let earlier = attributes.indices.map { key(attributes[$0].name, attributes[$0].format) }
      names = Set(earlier.map(\.name))
      keys = Set(earlier)
    }
    guard keys != nil else {
      attributes.append(Entry(name: name, format: format))
      return .none
    }
    let key = key(name, format)
    let isNewName = names.insert(key.name).inserted
    if keys?.insert(key).inserted == false { return .same }
    return isNewName ? .none : .otherFormat
  }
}
