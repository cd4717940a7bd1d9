public import HTTPExchange

extension HTTPOrigin {
  /// The audiences that name it: the origin as browsers write it, and as an address with its path.
  var audiences: [String] { [description, description + "/"] }
}

/// An application on a host of its own, as the gate's file has it.
public struct GateApplicationConfiguration: Sendable {
  /// Its origin.
  public let origin: HTTPOrigin
  /// Who may have which of its paths.
  public let rules: GateRules
  /// What it is told of the person.
  public let headers: [HeaderRule]
  /// What programs get tokens for; nil for no such thing.
  public let resource: ProtectedResource?
  /// Audiences of bearer tokens for it, beside its origin.
  public let audiences: [String]
  /// Other origins whose pages read its answers (CORS).
  public let readers: [HTTPOrigin]
}
