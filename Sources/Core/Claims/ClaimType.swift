import Octets

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
