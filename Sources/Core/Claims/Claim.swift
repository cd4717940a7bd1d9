import Octets

/// One statement about a subject.
public struct Claim: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// What the claim is about.
  public var type: ClaimType
  /// The value; for a structured one its XML, for a JSON one its JSON text.
  public var value: String
  /// The URI of the value's type, by default `xs:string`.
  public var valueType: String
  /// Who issued the token.
  public var issuer: String
  /// The party that made the statement first, where the token names it.
  public var originalIssuer: String?
  /// The name as the token wrote it, where ``type`` was put together from parts.
  public var originalName: String
  /// Further properties, by URI: name formats, qualifiers, friendly names.
  public var properties: [String: String]

  /// A claim of a string value.
  public init(
    _ type: ClaimType, _ value: String, issuer: String = "", valueType: String = Claim.stringType,
    originalIssuer: String? = nil, originalName: String? = nil, properties: [String: String] = [:]
  ) {
    self.type = type
    self.value = value
    self.valueType = valueType
    self.issuer = issuer
    self.originalIssuer = originalIssuer
    self.originalName = originalName ?? type.name
    self.properties = properties
  }

  /// The type and the value; a provider's credential shows its length alone.
  public var description: String {
    type.isCredential ? "\(type): \(value.utf8.count) bytes" : "\(type): \(value)"
  }

  /// Nothing: `dump` and interpolation see no more than ``description``.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Byte for byte: strings that differ in nothing but how letters are composed are different values.
  public static func == (left: Self, right: Self) -> Bool {
    left.type == right.type && left.value.hasSameBytes(as: right.value)
      && left.valueType.hasSameBytes(as: right.valueType)
      && left.issuer.hasSameBytes(as: right.issuer)
      && left.originalIssuer.hasSameBytes(as: right.originalIssuer)
      && left.originalName.hasSameBytes(as: right.originalName)
      && left.properties.hasSameBytes(as: right.properties)
  }

  /// Hashes a part of the bytes that ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(value)
    hasher.combine(issuer)
  }

  /// `xs:string`.
  public static let stringType = "http://www.w3.org/2001/XMLSchema#string"
  /// The type of a value that is itself JSON.
  package static let jsonType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON"
  /// The type of a value that is itself XML.
  public static let xmlType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#XMLLiteral"
  /// What the names of ``properties`` begin with.
  public static let propertyPrefix =
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claimproperties/"
}

extension Claim {
  /// The property of an e-mail address that its provider calls neither verified nor unverified: it decides nothing.
  package static let unconfirmedEmail = propertyPrefix + "emailunconfirmed"
}

/// The name of what a claim states, usually a URI. Two types are equal when their UTF-8 bytes are.
public struct ClaimType: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The name as the token has it.
  public let name: String

  /// The type of that name.
  public init(_ name: String) { self.name = name }

  /// The type of that name, as a literal.
  public init(stringLiteral name: String) { self.name = name }

  /// ``name-property``.
  public var description: String { name }

  /// Whether the names are the same UTF-8 bytes.
  public static func == (left: Self, right: Self) -> Bool { left.name.hasSameBytes(as: right.name) }

  /// Hashes ``name-property``; strings of the same bytes hash alike.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The prefix of the identity claims of WS-*.
  public static let identityPrefix = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/"
  /// The prefix of the identity claims of Windows.
  public static let windowsPrefix = "http://schemas.microsoft.com/ws/2008/06/identity/claims/"

  /// The URI of ``nameIdentifier``, for readers that compare it with every claim.
  package static var nameIdentifierURI: StaticString {
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier"
  }

  /// A stable identifier of the subject at its provider.
  public static let nameIdentifier = Self(nameIdentifierURI.description)
  /// A display or logon name.
  public static let name = Self(identityPrefix + "name")
  /// An e-mail address; no proof of identity across providers.
  public static let emailAddress = Self(identityPrefix + "emailaddress")
  /// First name.
  public static let givenName = Self(identityPrefix + "givenname")
  /// Last name.
  public static let surname = Self(identityPrefix + "surname")
  /// User principal name.
  public static let upn = Self(identityPrefix + "upn")
  /// A role.
  public static let role = Self(windowsPrefix + "role")
  /// How the subject signed in.
  public static let authenticationMethod = Self(windowsPrefix + "authenticationmethod")
  /// When the subject signed in, as `yyyy-MM-ddTHH:mm:ss.fffZ`.
  public static let authenticationInstant = Self(windowsPrefix + "authenticationinstant")
  /// The identity provider at which the subject signed in to ACS.
  public static let identityProvider = Self(
    "http://schemas.microsoft.com/accesscontrolservice/2010/07/claims/identityprovider")
  /// The Facebook access token that ACS passes on: a credential.
  public static let facebookAccessToken = Self("http://www.facebook.com/claims/AccessToken")

  /// Whether values of this type are credentials of an identity provider, to be masked for people.
  public var isCredential: Bool {
    let last = name.utf8.split(whereSeparator: { "/:#.".utf8.contains($0) }).last ?? []
    let word = last.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
    return ["accesstoken", "refreshtoken", "accesstokensecret", "idtoken"].contains {
      word.map(ASCII.lowercased).elementsEqual($0.utf8)
    }
  }
}
