public import Claims
public import SAML
public import TokenErrors
import Instants
import XMLTree

extension SAMLIssuer {
  /// A WS-Trust response (February 2005) around a signed assertion: the `wresult` of a WS-Federation
  /// sign-in, as ACS and ADFS post it.
  ///
  /// Nothing in the envelope is signed; its lifetime and audience repeat the assertion's for readers
  /// of the envelope. As in theirs, its creation is the beginning of the assertion's validity.
  ///
  /// - Throws: as ``SAML/SAMLIssuer/assertion(_:delivery:)``.
  public func tokenResponse(
    _ draft: TokenDraft, delivery: SAMLDelivery = SAMLDelivery()
  ) throws(TokenError) -> [UInt8] {
    let assertion = try assertionFragment(draft, delivery)
    let trust = WSSName.trust2005
    let tokenType = version == .v2 ? TokenTypeURI.saml20 : TokenTypeURI.saml11
    let response = try XMLWriter.fragment(
      trust.response,
      prefixes: [
        trust.namespace: "t", WSSName.utility: "wsu", WSSName.policy: "wsp",
        WSSName.addressing: "wsa",
      ]
    ) { writer throws(TokenError) in
      try writer.element(trust.lifetime) { writer throws(TokenError) in
        try writer.element(WSSName.created, text: draft.validFrom.withMilliseconds)
        try writer.element(WSSName.expires, text: draft.expires.withMilliseconds)
      }
      // One address: readers do not agree about an AppliesTo of several.
      if draft.audiences.count == 1, let audience = draft.audiences.first {
        try writer.element(WSSName.appliesTo) { writer throws(TokenError) in
          try writer.element(WSSName.endpointReference) { writer throws(TokenError) in
            try writer.element(WSSName.address, text: audience)
          }
        }
      }
      try writer.element(trust.requestedToken) { writer throws(TokenError) in
        writer.append(assertion)
      }
      try writer.element(trust.tokenType, text: tokenType)
      try writer.element(trust.requestType, text: trust.namespace + "/Issue")
    }
    return response.octets
  }
}
