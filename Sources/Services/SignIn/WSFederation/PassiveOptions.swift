/// What a WS-Federation sign-in request asks for beyond a sign-in (WS-Federation 1.2, 13.2.2).
public struct PassiveOptions: Hashable, Sendable {
  /// The identity provider to use without a prompt (`whr`); nil to let the service ask.
  public var homeRealm: String?
  /// The required way to sign in, as a URI (`wauth`).
  public var authenticationType: String?
  /// The highest age of an earlier sign-in in minutes (`wfresh`); 0 forces a new one.
  public var freshness: Int?

  /// A request without demands.
  public init() {}
}
