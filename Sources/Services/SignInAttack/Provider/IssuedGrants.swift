/// The codes and access tokens of the last sign-ins. Old ones go: one run issues thousands.
struct IssuedGrants: Sendable {
  /// What a code stands for.
  struct Grant: Sendable {
    let idToken: [UInt8]
    let redirect: String
    let challenge: String?
    let accessToken: String
    let subject: String
    let backChannel: AnswerPlan.BackChannel
    /// The provider that gave the code.
    let party: ProviderParty
    /// Whether the code gives its token more than once.
    let isReusable: Bool
    var isUsed = false
    /// Whether UserInfo was asked with its access token.
    var wasAskedForUser = false
  }

  private static let most = 64
  private var grants: [(code: String, grant: Grant)] = []

  mutating func add(_ grant: Grant, for code: String) {
    grants.append((code, grant))
    if grants.count > Self.most { grants.removeFirst() }
  }

  /// How many codes of one provider were brought to the other.
  private(set) var leakCount = 0

  /// The grant of a code, which is used up unless it is reusable; nil for a code that is unknown or was used, and for one of
  /// the other provider.
  mutating func redeem(_ code: String, at party: ProviderParty) -> Grant? {
    guard let index = grants.firstIndex(where: { $0.code == code }),
      !grants[index].grant.isUsed || grants[index].grant.isReusable
    else { return nil }
    guard grants[index].grant.party == party else {
      leakCount += 1
      return nil
    }
    grants[index].grant.isUsed = true
    return grants[index].grant
  }

  /// The grant of an access token.
  mutating func user(of accessToken: String) -> Grant? {
    guard let index = grants.firstIndex(where: { $0.grant.accessToken == accessToken }) else {
      return nil
    }
    grants[index].grant.wasAskedForUser = true
    return grants[index].grant
  }

  /// Whether the service has asked for UserInfo about the last sign-in.
  var lastWasAskedForUser: Bool { grants.last?.grant.wasAskedForUser ?? false }
}
