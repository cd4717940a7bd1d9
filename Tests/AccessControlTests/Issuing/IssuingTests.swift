import HTTPExchange
import IdentityProviderTesting
import TestSupport
import Testing
import TokenBasics
@testable import AccessControl

@Suite("Issuing")
struct IssuingTests {
  private let fixture: NamespaceFixture
  private let now = Instant(secondsSinceEpoch: 1_893_455_400)

  init() throws { fixture = try NamespaceFixture() }

  private func issue(
    _ realm: String, to namespace: ServiceNamespace? = nil
  ) throws -> IssuedToken {
    let namespace = namespace ?? fixture.namespace
    return try namespace.issue(
      ClaimSet(NamespaceFixture.mia), from: .provider("Google"),
      to: namespace.relyingParty(realm), at: now)
  }

  @Test("A token of each format verifies, with the claims of the rules and the identity provider")
  func formats() throws {
    for (realm, format) in NamespaceFixture.realms {
      let token = try issue(realm)
      #expect(token.format == format && token.expires == now.advanced(bySeconds: 600))
      let wires: [[UInt8]] = [
        token.octets, try token.tokenResponse(context: "rm=0&id=p1"),
        try token.notifyMessage(context: "c"),
      ]
      for wire in wires {
        var trust = Trust(issuers: [fixture.trusted(realm)], audiences: .oneOf([realm]))
        trust.decryptionKeys = [DecryptionKey(fixture.recipientKey)]
        let read = try AnyToken(reading: wire)
        let verified = try TokenValidator(trust).validate(read, at: now)
        let naming = verified.claims.map { claim in
          ClaimNaming.uri(of: claim.type.name) ?? claim.type.name
        }
        let said = Set(zip(naming, verified.claims).map { "\($0) \($1.value)" })
        #expect(
          said.isSuperset(of: [
            "\(ClaimType.emailAddress) mia@example.org", "\(ClaimType.role) editor",
            "\(ClaimType.identityProvider) Google",
          ]), "\(realm): \(said)")
        #expect(said.contains { $0.hasSuffix("nameidentifier mia-1") }, "\(realm): \(said)")
        #expect(!said.contains { $0.contains("secret-team") })
      }
    }
  }

  @Test("A token for one relying party is refused by another")
  func strangers() throws {
    for (realm, _) in NamespaceFixture.realms {
      let trust = Trust(issuers: [fixture.trusted(realm)], audiences: .oneOf(["urn:other"]))
      let token = try AnyToken(reading: issue(realm).octets)
      #expect(
        refusalCode { _ = try TokenValidator(trust).validate(token, at: now) } != nil, "\(realm)")
    }
  }

  @Test(
    "The message for a program is what Access Control Service sends, octet for octet around the token"
  )
  func notifies() throws {
    let message = String(decoding: try issue("uri:swt").notifyMessage(), as: UTF8.self)
    #expect(
      message.hasPrefix(
        #"{"appliesTo":"uri:swt","context":null,"created":1893455400,"expires":1893456000,"#
          + #""securityToken":"&lt;?xml version=&quot;1.0&quot; encoding=&quot;utf-16&quot;?>"#
          + "&lt;wsse:BinarySecurityToken "))
    #expect(
      message.hasSuffix(
        #"==&lt;/wsse:BinarySecurityToken>","tokenType":"http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0"}"#
      )
        || message.hasSuffix(
          #"&lt;/wsse:BinarySecurityToken>","tokenType":"http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0"}"#
        ))
  }

  @Test("Without a key that the format needs there is no token, and the code says which")
  func keys() throws {
    let bare = try fixture.with(keys: NamespaceKeys())
    #expect(refusalCode { _ = try issue("uri:swt", to: bare) } == .issuingNoSymmetricKey)
    for realm in ["uri:jwt", "uri:saml1", "uri:saml2"] {
      #expect(refusalCode { _ = try issue(realm, to: bare) } == .issuingNoCertificate)
    }
    #expect(refusalCode { _ = try issue("uri:unencrypted") } == .issuingNoEncryption)
    #expect(refusalCode { _ = try issue("uri:encrypted-swt") } == .issuingNoEncryption)
    #expect(try issue("uri:encrypted").octets.isEmpty == false)
  }

  @Test("Realms are compared octet for octet, scopes also by the path above them")
  func realms() throws {
    let namespace = fixture.namespace
    for realm in ["uri:SWT", "uri:swt/", "uri:swt ", ""] {
      #expect(refusalCode { _ = try namespace.relyingParty(realm) } == .issuingRealm)
    }
    #expect(try namespace.relyingParty(scope: "http://bus.example/").realm == "http://bus.example/")
    #expect(
      try namespace.relyingParty(scope: "http://bus.example/q/1").realm == "http://bus.example/")
    for scope in ["http://bus.example", "http://bus.example.evil/", "uri:swt/x"] {
      #expect(refusalCode { _ = try namespace.relyingParty(scope: scope) } == .issuingRealm)
    }
    #expect(refusalCode { _ = try fixture.with(groups: []) } == .issuingRealm)
  }

  @Test(
    "Return addresses are compared octet for octet; only a loopback address may have another port")
  func returns() throws {
    let party = try fixture.namespace.relyingParty("uri:swt")
    #expect(try party.returnAddress(asked: nil).text == "https://talks.example/signin")
    for text in ["https://talks.example/signin", "http://127.0.0.1:4711/back"] {
      #expect(try party.returnAddress(asked: text).text == text)
    }
    for text in [
      "https://talks.example/signin/", "https://talks.example/Signin",
      "https://talks.example/signin?a=1", "http://talks.example/signin",
      "https://talks.example.evil/signin", "https://talks.example@evil/signin",
      "https://evil/https://talks.example/signin", "//evil/signin", "/signin", "javascript:1", "",
      "https://TALKS.example/signin", "https://talks.example:443/signin",
      "https://talks.example/sign%69n",
      "http://127.0.0.1:4711/other", "https://127.0.0.1:4711/back", "http://127.0.0.2:80/back",
      "http://localhost:4711/back", "http://[::1]:4711/back", "https://talks.example:8443/signin",
    ] {
      #expect(
        refusalCode { _ = try party.returnAddress(asked: text) } == .issuingReplyAddress, "\(text)")
    }
    let none = try fixture.namespace.relyingParty("uri:jwt")
    #expect(refusalCode { _ = try none.returnAddress(asked: nil) } == .issuingReplyAddress)
  }

  @Test("A namespace knows each realm once, and each rule group that a relying party names")
  func ofTheirOwn() throws {
    func namespace(_ realms: [String], group: String) throws {
      _ = try ServiceNamespace(
        issuer: "https://acs.example/",
        relyingParties: realms.map { RelyingParty(realm: $0, format: .swt, ruleGroups: [group]) },
        providers: [], ruleGroups: [RuleGroup("default")], keys: NamespaceKeys())
    }
    #expect(refusalCode { try namespace(["uri:a", "uri:a"], group: "default") } == .issuingRealm)
    #expect(refusalCode { try namespace(["uri:a"], group: "other") } == .issuingRealm)
    try namespace(["uri:a", "uri:A"], group: "default")
  }

  @Test("A group gives nothing that the tokens of its own relying parties keep for themselves")
  func reserved() throws {
    let audience = ClaimRule(ClaimCondition(.provider("Google")), outputType: "Audience")
    let namespace = try ServiceNamespace(
      issuer: "https://acs.example/",
      relyingParties: [RelyingParty(realm: "uri:a", format: .swt, ruleGroups: ["default"])],
      providers: [], ruleGroups: [RuleGroup("default"), RuleGroup("other")], keys: NamespaceKeys())
    #expect(
      refusalCode { try namespace.checkReserved(RuleGroup("default", rules: [audience])) }
        == .issuingReservedClaim)
    try namespace.checkReserved(RuleGroup("other", rules: [audience]))
  }

  @Test(
    "A provider is authoritative for the addresses of its domains, in any case, and for nothing else",
    arguments: [
      ("ceo@corp.example", true), ("ceo@CORP.example", true), ("a@b@corp.example", true),
      ("@corp.example", false), ("corp.example", false), ("ceo@corp.example.evil", false),
      ("ceo@corq.example", false), ("ceo@", false),
    ])
  func authorities(email: String, isAuthoritative: Bool) {
    var provider = ACSIdentityProvider(id: "corp", name: "Corp", .testPeople([]))
    provider.mailDomains = ["corp.example"]
    #expect(provider.isAuthoritative(for: email) == isAuthoritative)
  }

  @Test(
    "An e-mail address is verified where it is the only one and the source, or a rule's own text, vouches for it"
  )
  func vouched() throws {
    let mail = "mia@example.org"
    let fixed = ClaimRule(
      ClaimCondition(.provider("Google"), type: .nameIdentifier), outputType: .emailAddress,
      outputValue: "desk@example.org")
    let pass = ClaimRule(ClaimCondition(.provider("Google"), type: .emailAddress))
    func isVerified(
      _ emails: [String], vouched: [String], _ rules: [ClaimRule]
    ) throws -> Bool? {
      let namespace = try fixture.with(
        groups: [RuleGroup("default", rules: rules), RuleGroup("bus")],
        keys: NamespaceKeys(
          signing: fixture.signing, identifiers: SymmetricKey(bytes: fixture.secret)))
      var subject = SignedInSubject(
        ClaimSet([Claim(.nameIdentifier, "mia")] + emails.map { Claim(.emailAddress, $0) }),
        from: .provider("Google"), name: "mia")
      subject.emails = vouched
      let token = try namespace.idToken(
        subject, to: namespace.relyingParty("uri:jwt"), nonce: nil, at: now)
      let parts = String(decoding: token, as: UTF8.self).split(separator: ".")
      return try JSONParser.parse(Base64.decode(Array(parts[1].utf8), .url))["email_verified"]?
        .bool
    }
    #expect(try isVerified([mail], vouched: [mail], [pass]) == true)
    #expect(try isVerified([mail], vouched: [], [pass]) == false)
    #expect(try isVerified([mail], vouched: ["other@example.org"], [pass]) == false)
    let two = [mail, "other@example.org"]
    #expect(try isVerified(two, vouched: two, [pass]) == false)
    #expect(try isVerified([], vouched: [], [fixed]) == true)
    // What one rule fixes says nothing of what another passes on.
    let team = ClaimRule(
      ClaimCondition(.provider("Google"), type: .nameIdentifier), outputType: "urn:team",
      outputValue: mail)
    #expect(try isVerified([mail], vouched: [], [pass, team]) == false)
    // An address by the short name stands in the same member.
    let short = ClaimRule(
      ClaimCondition(.provider("Google"), type: .nameIdentifier), outputType: "email",
      outputValue: "victim@bank.example")
    #expect(try isVerified([mail], vouched: [mail], [pass, short]) == false)
    #expect(try isVerified([], vouched: [], [short]) == false)
    let renamed = ClaimRule(
      ClaimCondition(.provider("Google"), type: .emailAddress), outputType: "email")
    #expect(try isVerified([mail], vouched: [mail], [renamed]) == true)
    #expect(try isVerified([mail], vouched: [], [renamed]) == false)
    let both = try fixture.with(groups: [
      RuleGroup("default", rules: [pass, fixed]), RuleGroup("bus"),
    ])
    let subject = SignedInSubject(
      ClaimSet([Claim(.nameIdentifier, "mia"), Claim(.emailAddress, mail)]),
      from: .provider("Google"), name: "mia")
    let ruled = try both.rules(of: both.relyingParty("uri:jwt")).evaluate(
      subject.claims, from: subject.source, issuer: both.issuer)
    #expect(both.isVouched("desk@example.org", subject, ruled))
    #expect(!both.isVouched(mail, subject, ruled))
  }

  @Test(
    "A name that does not last is none where one that lasts is asked for; the rules' own goes out as it is"
  )
  func names() throws {
    func response(_ rules: [ClaimRule], name: String?, format: String?) throws -> String {
      let namespace = try fixture.with(
        groups: [RuleGroup("default", rules: rules), RuleGroup("bus")],
        keys: NamespaceKeys(
          signing: fixture.signing, identifiers: SymmetricKey(bytes: fixture.secret)))
      let subject = SignedInSubject(
        ClaimSet([Claim(.nameIdentifier, "mia")]), from: .provider("Google"), name: name)
      return String(
        decoding: try namespace.response(
          subject, to: namespace.relyingParty("uri:saml2"), nameFormat: format,
          delivery: SAMLDelivery(), at: now), as: UTF8.self)
    }
    let pass = ClaimRule(ClaimCondition(.provider("Google")))
    let own = ClaimRule(
      ClaimCondition(.provider("Google")), outputType: .nameIdentifier, outputValue: "employee 7")
    #expect(
      refusalCode { _ = try response([pass], name: nil, format: NameFormat.persistent) }
        == .issuingNameFormat)
    #expect(
      try response([pass], name: "mia", format: NameFormat.persistent).contains(
        NameFormat.persistent))
    #expect(try response([pass], name: nil, format: nil).contains(NameFormat.transient))
    #expect(try response([own], name: "mia", format: nil).contains(">employee 7</"))
    #expect(try !response([pass], name: "mia", format: nil).contains(">mia</"))
  }

  @Test("Rules that go on beyond the last pass are found before anybody signs in")
  func passes() throws {
    func chain(_ count: Int) -> RuleGroup {
      let first = ClaimRule(
        ClaimCondition(.provider("Google"), type: .emailAddress), outputType: "c1",
        outputValue: "v")
      let rest = (1..<count).map {
        ClaimRule(
          ClaimCondition(.service, type: ClaimType("c\($0)")), outputType: ClaimType("c\($0 + 1)"))
      }
      return RuleGroup("default", rules: [first] + rest)
    }
    try fixture.with(groups: [chain(8), RuleGroup("bus")]).checkPasses()
    let long = try fixture.with(groups: [chain(9), RuleGroup("bus")])
    #expect(refusalCode { try long.checkPasses() } == .rulesTooManyPasses)
    // Many rules of another group, or about somebody else's claims, do not hide them.
    let others = (0..<100).map {
      ClaimRule(ClaimCondition(.provider("Google"), type: ClaimType("urn:\($0)")))
    }
    let behind = try fixture.with(groups: [RuleGroup("bus", rules: others), chain(9)])
    #expect(refusalCode { try behind.checkPasses() } == .rulesTooManyPasses)
    let services = (0..<100).map {
      ClaimRule(ClaimCondition(.service, type: ClaimType("urn:\($0)")))
    }
    let mixed = RuleGroup("default", rules: services + chain(9).rules)
    let hidden = try fixture.with(groups: [mixed, RuleGroup("bus")])
    #expect(refusalCode { try hidden.checkPasses() } == .rulesTooManyPasses)
  }

  @Test(
    "SVC-5: The identifier of a subject is another one at each provider and relying party, unless it is public"
  )
  func identifiers() throws {
    let key = try SymmetricKey(bytes: [UInt8](repeating: 9, count: 32))
    let namespace = try fixture.with(
      keys: NamespaceKeys(signing: fixture.signing, identifiers: key))
    func sub(
      _ name: String?, _ realm: String, isPublic: Bool = false, _ namespace: ServiceNamespace
    ) throws -> String? {
      var subject = SignedInSubject(
        ClaimSet(NamespaceFixture.mia), from: .provider("Google"), name: name)
      subject.authenticated = now
      var party = try namespace.relyingParty(realm)
      party.hasPublicIdentifiers = isPublic
      let token = try namespace.idToken(subject, to: party, nonce: nil, at: now)
      return try JSONWebToken(parsing: token).unverifiedFacts.subject
    }
    let mia = try sub("mia", "uri:jwt", namespace)
    #expect(mia?.utf8.count == 43)
    #expect(try sub("mia", "uri:jwt", namespace) == mia)
    #expect(try sub("tom", "uri:jwt", namespace) != mia)
    #expect(try sub("mia", "uri:saml2", namespace) != mia)
    let known = try sub("mia", "uri:jwt", isPublic: true, namespace)
    #expect(try sub("mia", "uri:saml2", isPublic: true, namespace) == known && known != mia)
    #expect(refusalCode { _ = try sub(nil, "uri:jwt", namespace) } == .issuingSubject)
    #expect(
      refusalCode {
        _ = try SignedInSubject(
          named: ClaimSet([Claim(.nameIdentifier, "a"), Claim(.nameIdentifier, "b")]),
          from: .provider("Google"))
      } == .issuingSubject)
    let bare = try fixture.with(keys: NamespaceKeys(signing: fixture.signing))
    #expect(refusalCode { _ = try sub("mia", "uri:jwt", bare) } == .issuingNoIdentifierKey)
  }

  @Test(
    "Where tokens have to be encrypted, those of SAML and JSON Web Tokens are, each for its key")
  func encryptedFormats() throws {
    let certificate = try Certificate(
      selfSigning: fixture.recipientKey, name: "r", notBefore: Instant(secondsSinceEpoch: 0),
      notAfter: Instant(secondsSinceEpoch: 2_000_000_000))
    for realm in ["uri:saml1", "uri:saml2", "uri:jwt", "uri:swt"] {
      var party = try fixture.namespace.relyingParty(realm)
      let format = party.format
      party.requiresEncryption = true
      if format == .jwt {
        party.webRecipient = try JSONWebEncryptionRecipient(fixture.recipientKey.publicKey)
      } else {
        party.recipient = try EncryptionRecipient(certificate)
      }
      func issued() throws -> IssuedToken {
        try fixture.namespace.issue(
          ClaimSet(NamespaceFixture.mia), from: .provider("Google"), to: party, at: now)
      }
      guard format != .swt else {
        #expect(refusalCode { _ = try issued() } == .issuingNoEncryption)
        continue
      }
      var trust = Trust(issuers: [fixture.trusted(realm)], audiences: .oneOf([realm]))
      let token = try AnyToken(reading: try issued().tokenResponse(context: "c"))
      #expect(
        refusalCode { _ = try TokenValidator(trust).validate(token, at: now) } != nil, "\(format)")
      trust.decryptionKeys = [DecryptionKey(fixture.recipientKey)]
      #expect(try !TokenValidator(trust).validate(token, at: now).claims.isEmpty, "\(format)")
    }
  }
}
