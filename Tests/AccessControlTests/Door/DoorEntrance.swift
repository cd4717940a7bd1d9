import AccessControl

/// A way to get a token of the relying party.
enum DoorEntrance: String, CaseIterable {
  case federation, feed, notify, saml, openID, formPost, pushed, resource, draft13
  case registered, registeredResource, document
  case wrap, wrapAssertion, trust, draft13Program, draft13Assertion, credentials, programJWT
  case exchange, exchangeID, exchangeActor, exchangeOwn, grantOut
  case samlBearer, jwtBearer, grantIn

  /// What an operator reads.
  var title: String {
    switch self {
    case .federation: "WS-Federation, `wsignin1.0`"
    case .feed: "WS-Federation, a link of `identityproviders.js`"
    case .notify: "`javascriptnotify`"
    case .saml: "SAML 2.0, asked for by an `AuthnRequest`"
    case .openID: "OpenID Connect, code in the query"
    case .formPost: "OpenID Connect, code by `form_post`"
    case .pushed: "OpenID Connect, request pushed (RFC 9126)"
    case .resource: "OpenID Connect, access token of another party by `resource`"
    case .draft13: "OAuth 2 draft 13, code of a person"
    case .registered: "OpenID Connect, a client that registered itself"
    case .registeredResource: "The same, access token of its relying party by `resource`"
    case .document: "OpenID Connect, a client with a document at its `client_id`"
    case .wrap: "WRAP, password"
    case .wrapAssertion: "WRAP, assertion"
    case .trust: "WS-Trust, password"
    case .draft13Program: "OAuth 2 draft 13, `client_credentials`"
    case .draft13Assertion: "OAuth 2 draft 13, assertion of a service identity"
    case .credentials: "`client_credentials` at `/v2/openid/token`"
    case .programJWT: "RFC 7523, a service identity about itself"
    case .exchange: "Exchange of a provider's token for SAML 2.0"
    case .exchangeID: "Exchange of a provider's token for an ID token"
    case .exchangeActor: "Exchange with an actor token for a JWT"
    case .exchangeOwn: "Exchange of a client's own ID token for an access token"
    case .grantOut: "Exchange for an ID-JAG"
    case .samlBearer: "RFC 7522, a provider's assertion about a person"
    case .jwtBearer: "RFC 7523, a provider's JWT about a person"
    case .grantIn: "ID-JAG redeemed"
    }
  }

  /// The protocol that `protocols` of the party lists.
  var listed: PartyProtocol {
    switch self {
    case .federation, .feed: .wsFederation
    case .notify: .javascriptnotify
    case .saml: .saml
    case .openID, .formPost, .pushed, .resource, .credentials: .openID
    case .registered, .registeredResource, .document: .openID
    case .draft13, .draft13Program, .draft13Assertion: .draft13
    case .wrap, .wrapAssertion: .wrap
    case .trust: .wsTrust
    case .exchange, .exchangeID, .exchangeActor, .exchangeOwn, .grantOut: .exchange
    case .programJWT, .samlBearer, .jwtBearer, .grantIn: .assertionGrants
    }
  }

  /// The moments at which the file can change on the way.
  var moments: [DoorMoment] {
    switch self {
    case .federation, .feed, .notify, .saml: [.before, .middle]
    case .openID, .formPost, .pushed, .resource, .draft13: [.before, .middle, .code]
    case .registered, .registeredResource, .document: [.before, .middle, .code]
    default: [.before]
    }
  }

  /// The entrances at which a person is in a browser.
  static let browsers = allCases.filter { $0.moments.count > 1 }
  /// Those by which a client of OpenID Connect signs people in for itself.
  static let openIDs: [Self] = [.openID, .formPost, .pushed]
  /// Those of clients that no file names, of the relying party at which these may register.
  static let strangers: [Self] = [.registered, .registeredResource, .document]
  /// Those of service identities about themselves.
  static let programs: [Self] = [
    .wrap, .wrapAssertion, .trust, .draft13Program, .draft13Assertion, .credentials, .programJWT,
  ]
  /// Those to which the service identity brings a provider's token to exchange.
  static let exchanges: [Self] = [.exchange, .exchangeID, .exchangeActor]
  /// Those to which it brings a provider's token as a grant.
  static let bearers: [Self] = [.samlBearer, .jwtBearer, .grantIn]
}

/// When the restriction comes into force.
enum DoorMoment: String, CaseIterable {
  /// Before the first request.
  case before
  /// While the person is at the provider.
  case middle
  /// Between the code and the token.
  case code

  /// The head of its table.
  var title: String {
    switch self {
    case .before: "In force before the first request"
    case .middle: "Comes into force by a reload while the person is at the provider"
    case .code: "Comes into force by a reload between the code and the token"
    }
  }

  /// Why the other entrances are not in its table.
  var reason: String {
    switch self {
    case .before: "Every entrance has this moment."
    case .middle:
      "At the entrances that are not in this table a program gets its token by one request."
    case .code: "The entrances that are not in this table give no code."
    }
  }
}

/// What is done with a token of the relying party after it was issued.
enum DoorUse: String, CaseIterable {
  case refreshOpenID, refreshResource, refreshDraft13, refreshRegistered
  case userInfo, userInfoRegistered, introspectOpaque, introspectResource, introspectExchanged,
    introspectGranted
  case introspectProgram, introspectRegistered
  case onwardFederation, onwardSAML, onwardID, onwardOpaque, onwardResource, onwardDraft13
  case onwardExchanged, onwardActor, onwardGranted, onwardProgram, onwardRegistered, onwardGrant

  /// The entrance at which the token was issued.
  var source: DoorEntrance {
    switch self {
    case .refreshOpenID, .userInfo, .introspectOpaque, .onwardID, .onwardOpaque, .onwardGrant:
      .openID
    case .refreshResource, .introspectResource, .onwardResource: .resource
    case .refreshDraft13, .onwardDraft13: .draft13
    case .refreshRegistered, .userInfoRegistered: .registered
    case .introspectRegistered, .onwardRegistered: .registeredResource
    case .introspectExchanged: .exchangeOwn
    case .introspectGranted, .onwardGranted: .jwtBearer
    case .introspectProgram: .credentials
    case .onwardFederation: .federation
    case .onwardSAML: .saml
    case .onwardExchanged: .exchange
    case .onwardActor: .exchangeActor
    case .onwardProgram: .wrap
    }
  }

  /// What an operator reads.
  var title: String {
    switch self {
    case .refreshOpenID: "Refresh, OpenID Connect"
    case .refreshResource: "Refresh, with `resource`"
    case .refreshDraft13: "Refresh, draft 13"
    case .refreshRegistered: "Refresh, a client that registered itself"
    case .userInfo: "UserInfo"
    case .userInfoRegistered: "UserInfo, a client that registered itself"
    case .introspectOpaque: "Introspection of an opaque access token"
    case .introspectResource: "Introspection of an access token by `resource`"
    case .introspectExchanged: "Introspection of an exchanged access token"
    case .introspectGranted: "Introspection of an access token by RFC 7523"
    case .introspectProgram: "Introspection of an access token by `client_credentials`"
    case .introspectRegistered:
      "Introspection of an access token by `resource` of a client that registered itself"
    case .onwardFederation: "Exchange onward of an assertion by WS-Federation"
    case .onwardSAML: "Exchange onward of an assertion by SAML 2.0"
    case .onwardID: "Exchange onward of an ID token"
    case .onwardOpaque: "Exchange onward of an opaque access token"
    case .onwardResource: "Exchange onward of an access token by `resource`"
    case .onwardDraft13: "Exchange onward of a person's token by draft 13"
    case .onwardExchanged: "Exchange onward of an exchanged assertion"
    case .onwardActor: "Exchange onward of a JWT that names an actor"
    case .onwardGranted: "Exchange onward of an access token by RFC 7523"
    case .onwardProgram: "Exchange onward of a service identity's token by WRAP"
    case .onwardRegistered:
      "Exchange onward of an access token by `resource` of a client that registered itself"
    case .onwardGrant: "ID-JAG for an ID token"
    }
  }

  /// Those at which the relying party itself asks, with its secret.
  var isAskedByParty: Bool {
    ![
      .refreshResource, .refreshDraft13, .refreshRegistered, .userInfo, .userInfoRegistered,
    ].contains(self)
  }
}
