import StrictJSON

/// What an application got from a provider's own library, to be traded for a session.
public enum ProviderCredential: Sendable {
  case facebook(accessToken: Secret)
  /// The authorization code is what App Service needs to be able to refresh later.
  case google(idToken: Secret, accessToken: Secret? = nil, authorizationCode: Secret? = nil)
  case microsoftAccount(accessToken: Secret?, authenticationToken: Secret? = nil)
  case azureActiveDirectory(accessToken: Secret)
  case twitter(accessToken: Secret, accessTokenSecret: Secret)

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
