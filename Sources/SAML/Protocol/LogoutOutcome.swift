/// How a logout request was carried out (SAML Core 3.2.2.2, 3.7.3).
public enum LogoutOutcome: Hashable, Sendable {
  /// Every session that the request names has ended here.
  case done
  /// The session has ended here, but not everywhere.
  case partial
  /// No session of ours is the one that the request names.
  case noSession
  /// Nothing ended.
  case refused

  /// The outer and the inner status code.
  var codes: (String, String?) {
    let prefix = "urn:oasis:names:tc:SAML:2.0:status:"
    return switch self {
    case .done: (prefix + "Success", nil)
    case .partial: (prefix + "Success", prefix + "PartialLogout")
    case .noSession: (prefix + "Requester", prefix + "UnknownPrincipal")
    case .refused: (prefix + "Requester", prefix + "RequestDenied")
    }
  }
}
