import Octets

/// An identity provider of a Mobile Service, as its paths spell it. Microsoft's own accounts are
/// `microsoftaccount`.
public struct MobileProvider: RawRepresentable, Hashable, Sendable {
  /// The provider's segment in paths, in lower case.
  public let rawValue: String

  /// Letters become lower case, and `windowsazureactivedirectory` becomes `aad`, as in the services.
  public init(rawValue: String) {
    let name = String(decoding: rawValue.utf8.map(ASCII.lowercased), as: UTF8.self)
    self.rawValue = name == "windowsazureactivedirectory" ? "aad" : name
  }

  /// `facebook`.
  public static let facebook = Self(rawValue: "facebook")
  /// `google`.
  public static let google = Self(rawValue: "google")
  /// `microsoftaccount`: personal accounts of Microsoft.
  public static let microsoftAccount = Self(rawValue: "microsoftaccount")
  /// `twitter`.
  public static let twitter = Self(rawValue: "twitter")
  /// `aad`: accounts of an organisation.
  public static let azureActiveDirectory = Self(rawValue: "aad")

  /// The hosts whose cookies keep a person signed in at this provider. To sign the person out, delete the
  /// cookies of these hosts and of the app, not all.
  public var cookieDomains: [String] {
    switch self {
    case .facebook: ["facebook.com"]
    case .google: ["accounts.google.com"]
    case .microsoftAccount: ["login.live.com", "login.microsoftonline.com"]
    case .twitter: ["twitter.com", "x.com"]
    case .azureActiveDirectory: ["login.microsoftonline.com"]
    default: []
    }
  }
}
