import HTTPExchange
public import TokenBasics

extension TokenError.Code {
  /// Nobody is signed in.
  public static let sessionNone = Self(
    "session.none",
    "nobody is signed in",
    hint: "sign in first")
  /// The session was unused or old for too long.
  public static let sessionTimedOut = Self(
    "session.timed-out",
    "the session was unused for too long or has reached its end",
    hint: "sign in again")
  /// The service refused the credential and nothing can renew it.
  public static let sessionOver = Self(
    "session.over",
    "the service refused the credential, which cannot be renewed; the session was ended",
    hint: "sign in again; accounts with a password of their own are never asked behind your back")
  /// The service refused to renew the credential.
  public static let sessionRenewalRefused = Self(
    "session.renewal-refused",
    "the service refused to renew the credential",
    hint: "sign in again: the refresh token was used, revoked or has expired")
  /// The person closed the sign-in.
  public static let sessionCancelled = Self(
    "session.cancelled",
    "the sign-in was cancelled by the person",
    fault: .person, hint: "nothing is wrong; offer to sign in again")
  /// The session is another person's now.
  public static let sessionOtherPrincipal = Self(
    "session.other-principal",
    "another person signed in while requests of the former one were waiting",
    hint: "start again as the new person; nothing was sent under the new name")
  /// Another process holds the right to renew.
  public static let sessionRenewalElsewhere = Self(
    "session.renewal-elsewhere",
    "another process is renewing the session and did not finish in time",
    hint: "try again; the session is untouched")
  /// The address is not the service's.
  public static let sessionOtherOrigin = Self(
    "session.other-origin",
    "the request goes to another scheme, host or port than the credential belongs to",
    hint: "send it without the credential, or through the session of that service")
  /// The file of credentials is damaged.
  public static let sessionStoreDamaged = Self(
    "session.store-damaged",
    "the file of credentials is damaged",
    hint:
      "sign in again, which keeps the damaged file under another name beside it; reading leaves it alone"
  )
  /// The file is no file of credentials.
  public static let sessionStoreForeign = Self(
    "session.store-foreign",
    "the file is no file of credentials; it is untouched",
    hint: "name the file of credentials, or one that is not there yet")
  /// The file of credentials asks for too much work.
  public static let sessionStoreCost = Self(
    "session.store-cost",
    "the key of the file of credentials would take more memory and time than this program gives",
    hint: "this program did not write the file; take it away and sign in again")
  /// Another program holds the lock of the file of credentials.
  public static let sessionStoreLocked = Self(
    "session.store-locked",
    "another program holds the lock of the file of credentials and does not let go",
    hint: "find out who has the lock file open, end that program, and try again")
  /// The file of credentials was sealed with another key.
  public static let sessionStoreKey = Self(
    "session.store-key",
    "the file of credentials was sealed with another key or passphrase",
    hint: "give the key or passphrase that it was made with; the file is untouched")
  /// The key for the file of credentials cannot be used.
  public static let sessionStoreKeySource = Self(
    "session.store-key-source",
    "the key for the file of credentials is missing, of another length, or readable by others",
    hint: "32 random bytes, raw or in base64, in a file of mode 0600 or an environment variable")
  /// The file system refused.
  public static let sessionStoreFile = Self(
    "session.store-file",
    "the file of credentials cannot be read or written",
    hint: "check the folder, its owner and the free space")
  /// A later release wrote the file.
  public static let sessionStoreVersion = Self(
    "session.store-version",
    "the file of credentials was written by a later release",
    hint: "use that release; the file is untouched")
  /// The session has no access token of the service.
  public static let sessionProviderToken = Self(
    "session.provider-token",
    "the session has no access token of this service that is still valid",
    hint:
      "sign in through that service, or name its token by file; no other token is sent in its place"
  )
  package static let session: [Self] = [
    .sessionProviderToken, .sessionNone, .sessionTimedOut, .sessionOver, .sessionRenewalRefused,
    .sessionRenewalFailed, .sessionRenewalElsewhere, .sessionCancelled, .sessionOtherPrincipal,
    .sessionOtherOrigin, .sessionStoreDamaged, .sessionStoreForeign, .sessionStoreCost,
    .sessionStoreLocked, .sessionStoreKey, .sessionStoreKeySource, .sessionStoreFile,
    .sessionStoreVersion,
  ]
}
