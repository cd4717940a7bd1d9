public import HTTPExchange
import Federation
import XMLTree

/// Which issuer a logout message names, without any proof: it only chooses the provider that verifies it.
public enum LogoutPeek {
  /// The text of the message's `Issuer`.
  ///
  /// - Throws: `client.*`, `input.*`, `xml.*`.
  public static func issuer(
    of message: WebRequest, limits: Limits = Limits()
  ) throws(TokenError) -> String {
    let root: Element
    if message.method == "GET" {
      let octets = try RedirectMessage(query: message.query ?? "", limits: limits).octets
      root = try Document(parsing: octets, limits: limits).root
    } else if message.hasForm {
      root = try Document(parsing: try PostedMessage(message).octets, limits: limits).root
    } else {
      root = try SOAPEnvelope.message(in: message.body, limits: limits)
    }
    guard let issuer = try root.children().first(where: { $0.localName == "Issuer" }) else {
      throw TokenError(.missingElement, node: root.path, expected: "Issuer")
    }
    return try issuer.text()
  }
}
