public import TokenBasics

extension TokenError.Code {
  /// The gate's file is not valid JSON.
  public static let gateSyntax = Self(
    "gate.file-syntax",
    "the gate's file is not valid JSON",
    fault: .configuration, hint: "see the line")
  /// A member of the gate's file that does not exist.
  public static let gateMember = Self(
    "gate.file-member",
    "the gate's file has a member that does not exist, or lacks one that has to be there",
    fault: .configuration, hint: "check the spelling; the documentation lists every member")
  /// A value that a member of the gate's file cannot have.
  public static let gateValue = Self(
    "gate.file-value",
    "a member of the gate's file has a value that it cannot have",
    fault: .configuration, hint: "the documentation lists every member and its type")
  /// No proxy is trusted.
  public static let gateNoPeers = Self(
    "gate.no-peers",
    "the gate's file names no peer, so no proxy may say which request is judged",
    fault: .configuration, hint: "list the addresses of the proxy in proxy.peers, such as 127.0.0.1"
  )
  /// Several providers, and no word on whose people they name.
  public static let gatePeople = Self(
    "gate.people",
    "the gate's file has several providers or issuers and does not say whether a name is one person at all of them",
    fault: .configuration,
    hint:
      "\"people\": \"by provider\" keeps them apart, as PROVIDER:SUBJECT; \"shared\" trusts each for everybody"
  )
  /// Several providers or issuers, and a claim that counts whoever states it.
  public static let gateClaimProvider = Self(
    "gate.claim-provider",
    "there are several providers or issuers, and the gate's file reads a claim without saying whose",
    fault: .configuration,
    hint:
      "add \"provider\" there: an identifier, a list of them, or \"any\"; a member \"provider\" of the whole file says it "
      + "once for every rule, header and member of the signed identity")
  /// An audience of the trust file that belongs to no application.
  public static let gateAudience = Self(
    "gate.audience",
    "the gate has several applications, and an audience of the trust file belongs to none of them",
    fault: .configuration,
    hint:
      "list it in applications[].audiences of the application that it is for; origins and resources need no entry"
  )
  /// A check from an address that is no peer.
  public static let gatePeer = Self(
    "gate.peer",
    "the question came from an address that is not among proxy.peers",
    fault: .configuration, hint: "list the proxy's address, or let nobody else reach the gate")
  /// The proxy did not say which request is judged.
  public static let gateRequestMissing = Self(
    "gate.request-missing",
    "the proxy did not name the request that is judged",
    fault: .configuration,
    hint: "set the header of this kind of proxy in its configuration; claims-gate doctor checks it")
  /// The proxy passed two headers of one name.
  public static let gateRequestRepeated = Self(
    "gate.request-repeated",
    "the header that names the judged request is there twice",
    fault: .configuration, hint: "let the proxy set it, instead of adding it to the client's own")
  /// A host that the file does not name.
  public static let gateHost = Self(
    "gate.host",
    "the request is for a host that the gate's file does not name",
    hint: "name its origin in applications, or let the proxy hand on other hosts without the gate")
  /// A path that two readers could read differently.
  public static let gatePath = Self(
    "gate.path",
    "the path can be read in two ways, so no rule can judge it",
    hint: "send the path without what the node names, which another server may read differently")
  /// A method that some readers take for another one.
  public static let gateMethod = Self(
    "gate.method",
    "the method is not in upper case, so readers may take it for different methods",
    hint: "send methods in upper case, such as POST; HTTP's methods are case-sensitive")
  /// A header that names another method than that of the request.
  public static let gateMethodOverride = Self(
    "gate.method-override",
    "a header names another method than that of the request, and a rule is for a method",
    hint:
      "send the method itself, such as DELETE; frameworks would follow the header, which no rule has judged"
  )
  /// The method CONNECT.
  public static let gateConnect = Self(
    "gate.connect",
    "CONNECT asks for a tunnel, and no rule judges what is sent in one",
    hint: "let the proxy refuse the method before it asks the gate; claims-gate recipe prints how")
  /// Another protocol on the connection.
  public static let gateUpgrade = Self(
    "gate.upgrade",
    "the request asks for another protocol than websocket, by which it would go past the gate",
    hint:
      "let the proxy remove Upgrade and HTTP2-Settings before it asks the gate; claims-gate recipe prints how"
  )
  /// Two hosts in one request.
  public static let gateHostRepeated = Self(
    "gate.host-repeated",
    "the request names two hosts, so readers may take it for different ones",
    hint: "send one Host line with one host (RFC 9112, 3.2)")
  /// Somebody without a name.
  public static let gateSubjectMissing = Self(
    "gate.subject-missing",
    "a header names the person to the application, and the person who signed in has no such name",
    hint: "let the provider send the name, or let the header carry another claim")
  /// A rule refuses.
  public static let gateForbidden = Self(
    "gate.forbidden",
    "a rule does not let this subject pass",
    fault: .person,
    hint: "the node names the rule and what was missing; claims-gate try shows the decision")
  /// A key of the gate that would serve two purposes.
  public static let gateKeyTwice = Self(
    "gate.key-twice",
    "a key that signs identities for the application serves another purpose too",
    fault: .configuration,
    hint: "make a key of its own, such as: openssl ecparam -name prime256v1 -genkey -noout")
  /// The gate among the issuers whose tokens it accepts.
  public static let gateOwnIssuer = Self(
    "gate.own-issuer",
    "the trust file for bearer tokens names the gate itself",
    fault: .configuration,
    hint: "what the gate signs is for the application alone; take the issuer out of the trust file")
  /// No rule covers a path, and the file refuses such paths.
  public static let gateNoRule = Self(
    "gate.no-rule",
    "no rule is for this path, and the gate's file refuses every other",
    fault: .person, hint: "add a rule for the path, or change default")
  /// A session where a token is needed.
  public static let gateTokenRequired = Self(
    "gate.token-required",
    "a rule takes bearer tokens here, and no session of a browser",
    hint: "send a token of a trusted issuer in Authorization: Bearer; the node names the rule")
  /// A token without a scope that the request needs.
  public static let gateScope = Self(
    "gate.scope",
    "the token lacks a scope that a rule demands",
    hint: "ask the issuer for a token with the scopes that the challenge names")
  /// A sign-in that is too old or too weak for a path.
  public static let gateStepUp = Self(
    "gate.step-up",
    "a rule demands a sign-in that is more recent, or stronger, than this one",
    fault: .person,
    hint:
      "sign in again at the address that the answer names; a program asks for a token with what the challenge names"
  )
  /// A provider that did not do what a rule demands of sign-ins.
  public static let gateStepUpInVain = Self(
    "gate.step-up-in-vain",
    "the provider was asked for a more recent or stronger sign-in, and did not say that it was one",
    fault: .person,
    hint:
      "compare contexts and maxAge of the rule with what the provider sends (acr and auth_time, AuthnContextClassRef and "
      + "AuthnInstant); PREFIXclaims shows it")
  /// An identity header beyond the limit.
  public static let gateHeaderTooLarge = Self(
    "gate.header-too-large",
    "a claim is too large for its header",
    hint: "let the header pass only the values that the application uses: \"only\": [\"…\"]")
  /// Entra left the groups out of the token.
  public static let gateGroupsOverage = Self(
    "gate.groups-overage",
    "the token has too many groups, so the issuer left them out",
    hint: "let Entra emit the groups assigned to the application, or application roles")
  /// The session dropped a claim that the file did not name at the sign-in.
  public static let gateClaimDropped = Self(
    "gate.claim-dropped",
    "the session kept only the claims that the gate's file named at the sign-in, and a rule is about another one",
    hint: "sign out and sign in again; the new session keeps the claim")
  /// The doctor asks what becomes of a gate that cannot answer.
  public static let gateRehearsal = Self(
    "gate.rehearsal",
    "the doctor asked for a gate that cannot answer",
    fault: .service, hint: "nothing is wrong: claims-gate doctor sees what the proxy makes of it")
  /// The codes of this module.
  public static let gateCodes: [Self] = [
    .gateSyntax, .gateMember, .gateValue, .gateNoPeers, .gatePeople, .gateClaimProvider,
    .gateAudience, .gatePeer, .gateRequestMissing, .gateRequestRepeated, .gateHost, .gatePath,
    .gateMethod, .gateMethodOverride, .gateConnect, .gateUpgrade, .gateHostRepeated,
    .gateSubjectMissing,
    .gateForbidden,
    .gateKeyTwice, .gateOwnIssuer, .gateNoRule, .gateTokenRequired, .gateScope, .gateStepUp,
    .gateStepUpInVain,
    .gateHeaderTooLarge, .gateGroupsOverage, .gateClaimDropped, .gateRehearsal,
  ]
}
