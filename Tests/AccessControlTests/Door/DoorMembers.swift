import AccessControl
import HTTPExchange
import TestSupport

/// The members of the types that the file is read into: a restriction has a row of the table, every other one a reason.
enum DoorMembers {
  /// Why a member keeps nobody from a token.
  static let free: [String: String] = [
    "RelyingParty.name": "what people see",
    "RelyingParty.errorAddress": "where a browser is told of an error",
    "RelyingParty.backChannelLogout": "where a sign-out is told",
    "RelyingParty.lifetime": "ends tokens sooner, see DoorLifetimeTests",
    "RelyingParty.key": "signs tokens",
    "RelyingParty.signing": "signs tokens",
    "RelyingParty.hasPublicIdentifiers": "which name a token has",
    "RelyingParty.demandsPairwiseIdentifiers": "which name a token has, see DoorNameTests",
    "RelyingParty.exchange": "the members of ExchangePolicy",
    "RelyingParty.signsResponses": "signs responses",
    "RelyingParty.home": "a client that no file names",
    "RelyingParty.described": "a client that no file names",
    "RelyingParty.origins": "whose scripts read the token endpoint in a browser",
    "RelyingParty.appAddresses": "as `return`: an address of an app",
    "ServiceIdentity.certificate": "as the key: what proves an assertion",
    "ACSIdentityProvider.name": "what people see",
    "ACSIdentityProvider.errors": "numbers of errors",
    "ACSIdentityProvider.image": "what people see",
    "ACSIdentityProvider.emailSuffixes": "which button people see",
    "ACSIdentityProvider.mailDomains": "whether an address is verified",
    "ACSIdentityProvider.contexts": "names of contexts",
    "ClaimRule.input": "what a rule looks at: `rules` give nothing",
    "ClaimRule.second": "what a rule looks at: `rules` give nothing",
    "ClaimRule.outputType": "what a rule gives",
    "ClaimRule.outputValue": "what a rule gives",
    "ClaimRule.note": "a remark for people",
  ]

  /// A value of each type.
  static func samples() throws -> [(name: String, value: Any)] {
    let world = try DoorWorld()
    return [
      ("RelyingParty", world.party), ("ExchangePolicy", world.party.exchange),
      ("ClientNames", world.program.clientNames), ("ServiceIdentity", world.program),
      ("ACSIdentityProvider", world.providers[0]),
      ("ResourceAuthorizationServer", world.server),
      ("ClaimRule", ClaimRule(ClaimCondition(.service))),
    ]
  }

  /// The property that each member of the file is read into.
  static let ofFile: [String: [String: String]] = [
    "relyingParties": [
      "realm": "RelyingParty.realm", "name": "RelyingParty.name", "format": "RelyingParty.format",
      "return": "RelyingParty.returnAddresses", "origins": "RelyingParty.origins",
      "error": "RelyingParty.errorAddress",
      "backChannelLogout": "RelyingParty.backChannelLogout",
      "lifetime": "RelyingParty.lifetime", "rules": "RelyingParty.ruleGroups",
      "providers": "RelyingParty.providers", "key": "RelyingParty.key",
      "encryptTo": "RelyingParty.requiresEncryption",
      "encryption": "RelyingParty.webRecipient", "signing": "RelyingParty.signing",
      "metadata": "RelyingParty.metadata", "metadataKey": "RelyingParty.metadata",
      "copy": "RelyingParty.metadata", "clientSecret": "RelyingParty.clientSecret",
      "identifiers": "RelyingParty.hasPublicIdentifiers",
      "exchangeFor": "ExchangePolicy.clients", "mayActFor": "ExchangePolicy.actingClients",
      "resourceFor": "ExchangePolicy.resourceClients",
      "draft13For": "ExchangePolicy.draft13Clients",
      "protocols": "RelyingParty.listedProtocols", "scopes": "ExchangePolicy.scopes",
      "signResponse": "RelyingParty.signsResponses", "audiences": "ClientNames.audiences",
      "recipients": "ClientNames.recipients",
    ],
    "serviceIdentities": [
      "name": "ServiceIdentity.name", "password": "ServiceIdentity.password",
      "key": "ServiceIdentity.key", "certificate": "ServiceIdentity.certificate",
      "redirect": "ServiceIdentity.redirectAddresses", "audiences": "ClientNames.audiences",
      "recipients": "ClientNames.recipients",
    ],
    "providers": [
      "kind": "ACSIdentityProvider.errors", "application": "ACSIdentityProvider.id",
      "id": "ACSIdentityProvider.id", "name": "ACSIdentityProvider.name",
      "offers": "ClaimRule.input", "people": "ACSIdentityProvider.kind",
      "image": "ACSIdentityProvider.image", "emailSuffixes": "ACSIdentityProvider.emailSuffixes",
      "saml": "ACSIdentityProvider.kind", "wsFederation": "ACSIdentityProvider.kind",
      "openID": "ACSIdentityProvider.kind",
      "authoritativeFor": "ACSIdentityProvider.mailDomains",
      "subjectFrom": "ACSIdentityProvider.subjectType", "grants": "ACSIdentityProvider.grants",
      "contexts": "ACSIdentityProvider.contexts", "address": "ACSIdentityProvider.kind",
      "skew": "ACSIdentityProvider.kind",
    ],
    "authorizationServers": [
      "issuer": "ResourceAuthorizationServer.issuer",
      "clients": "ResourceAuthorizationServer.clients",
      "relyingParty": "ResourceAuthorizationServer.relyingParty",
      "scopes": "ResourceAuthorizationServer.scopes",
      "resources": "ResourceAuthorizationServer.resources",
    ],
  ]

  /// What the table or the reasons know.
  static var known: Set<String> {
    Set(free.keys).union(DoorRestriction.all.flatMap(\.members))
  }
}
