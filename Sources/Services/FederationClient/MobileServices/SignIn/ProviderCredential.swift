public import HTTPExchange
import Octets

/// A credential from a provider's own library, to be exchanged for a session.
public enum ProviderCredential: Sendable {
  /// An access token of Facebook.
  case facebook(accessToken: Secret)
  /// An ID token of Google. App Service needs the authorization code too in order to refresh later.
  case google(idToken: Secret, accessToken: Secret? = nil, authorizationCode: Secret? = nil)
  /// Tokens of a Microsoft account: an access token, an authentication token (Live SDK), or both.
  case microsoftAccount(accessToken: Secret?, authenticationToken: Secret? = nil)
  /// An access token of Azure Active Directory.
  case azureActiveDirectory(accessToken: Secret)
  /// An access token of Twitter and its secret (OAuth 1.0a).
  case twitter(accessToken: Secret, accessTokenSecret: Secret)

  /// The provider that issued the credential.
  public var provider: MobileProvider {
    switch self {
    case .facebook: .facebook
    case .google: .google
    case .microsoftAccount: .microsoftAccount
    case .azureActiveDirectory: .azureActiveDirectory
    case .twitter: .twitter
    }
  }

  private var members: [(name: StaticString, value: Secret?)] {
    switch self {
    case .facebook(let token), .azureActiveDirectory(let token): [("access_token", token)]
    case .google(let id, let access, let code):
      [("id_token", id), ("access_token", access), ("authorization_code", code)]
    case .microsoftAccount(let access, let authentication):
      [("access_token", access), ("authenticationToken", authentication)]
    case .twitter(let token, let secret):
      [("access_token", token), ("access_token_secret", secret)]
    }
  }

  var secrets: [Secret] { members.compactMap(\.value) }

  var body: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      for (name, value) in members { json.member(name, value?.revealed) }
    }
    return json.bytes
  }
}
