/// A way to get tokens of a relying party, as `protocols` of acs.json names it.
public enum PartyProtocol: String, Hashable, Sendable, CaseIterable {
  /// WS-Federation, in a browser.
  case wsFederation
  /// SAML 2.0 Web SSO.
  case saml
  /// OpenID Connect, and access tokens that a service identity asks for at its token endpoint.
  case openID
  /// OAuth 2.0 draft 13.
  case draft13
  /// The page whose script hands the token to the program that shows it.
  case javascriptnotify
  /// WRAP v0.9.
  case wrap
  /// WS-Trust 1.3.
  case wsTrust
  /// Token exchange (RFC 8693).
  case exchange
  /// Assertions as grants (RFC 7522, RFC 7523, identity assertion grants).
  case assertionGrants
}

extension RelyingParty {
  /// The protocols by which people's tokens are issued: those that the file lists, or those that follow from the secret
  /// and the metadata. ``exchange`` allows the clients that it names beside these.
  public var protocols: Set<PartyProtocol> {
    if let listedProtocols { return listedProtocols }
    switch (clientSecret != nil, metadata != nil) {
    case (true, true): return [.openID, .exchange, .assertionGrants, .saml]
    case (true, false): return [.openID, .exchange, .assertionGrants]
    case (false, true): return [.saml]
    case (false, false): return Set(PartyProtocol.allCases).subtracting([.javascriptnotify, .saml])
    }
  }

  /// Whether the tokens of protocols that the file does not list have the pairwise identifier, too: the file says `pairwise`,
  /// or the party is a client of OpenID Connect or SAML, not by mere absence of a list.
  var isPairwise: Bool {
    guard !hasPublicIdentifiers else { return false }
    if demandsPairwiseIdentifiers { return true }
    if let listedProtocols { return !listedProtocols.isDisjoint(with: [.openID, .saml]) }
    return clientSecret != nil || metadata != nil
  }
}
