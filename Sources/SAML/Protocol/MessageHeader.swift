package import Instants
import Claims
import TokenErrors
import XMLTree

/// What every SAML 2.0 message that we send begins with (SAML Core 3.2.1, 3.2.2).
package struct MessageHeader: Sendable {
  /// The message's identifier.
  package let id: String
  package let issuer: String
  package let issuedAt: Instant
  /// The address that it is sent to; nil over SOAP.
  package let destination: String?

  package init(id: String, issuer: String, issuedAt: Instant, destination: String?) {
    self.id = id
    self.issuer = issuer
    self.issuedAt = issuedAt
    self.destination = destination
  }

  /// The attributes, with further ones.
  func attributes(_ further: [XMLWriter.Attribute] = []) -> [XMLWriter.Attribute] {
    [
      (AttributeName.id, id), (AttributeName.version, "2.0"),
      (AttributeName.issueInstant, issuedAt.withMilliseconds),
      (AttributeName.destination, destination),
    ] + further
  }
}
