import Octets

/// An identity provider of a Mobile Service, as its paths spell it. Microsoft's own accounts are
/// `microsoftaccount`.
public struct MobileProvider: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  /// Letters become lower case, and `windowsazureactivedirectory` becomes `aad`, as the services do it.
  public init(rawValue: String) {
    let name = String(decoding: rawValue.utf8.map(ASCII.lowercased), as: UTF8.self)
    self.rawValue = name == "windowsazureactivedirectory" ? "aad" : name
  }

  public static let facebook = Self(rawValue: "facebook")
  public static let google = Self(rawValue: "google")
  public static let microsoftAccount = Self(rawValue: "microsoftaccount")
  public static let twitter = Self(rawValue: "twitter")
  public static let azureActiveDirectory = Self(rawValue: "aad")

  /// The hosts whose cookies keep a person signed in at this provider. To sign somebody out, drop the
  /// cookies of these and of the app, not all.
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
