/// The signed identity of people for the application, as the gate's file has it.
public struct IdentityTokenConfiguration: Hashable, Sendable {
  /// The header that carries the token.
  public let header: String
  /// The files of the keys; the first signs, all are published.
  public let keyFiles: [String]
  /// Seconds for which a token is valid.
  public let lifetime: Int
  /// What the token says beside the subject.
  public let members: [IdentityToken.Member]
}
