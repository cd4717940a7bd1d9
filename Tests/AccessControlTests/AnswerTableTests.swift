@testable import AccessControl
import SignIn
import TestCatalogue
import Testing
import TokenBasics

/// Whose fault each error is, and how it is answered. What a code does not say is the sender's fault.
@Suite("Faults and answers")
struct AnswerTableTests {
  private static let faults: [TokenError.Fault: String] = [
    .configuration: """
    gate.audience gate.claim-provider gate.file-member gate.file-syntax gate.file-value \
    gate.key-twice gate.no-peers gate.own-issuer gate.peer gate.people gate.request-missing \
    gate.request-repeated issuing.file-member issuing.file-syntax issuing.file-value \
    issuing.metadata issuing.no-certificate issuing.no-encryption-certificate \
    issuing.no-identifier-key issuing.no-symmetric-key issuing.reserved-claim listen.in-use \
    listen.refused listen.tls policy.limit policy.mint-algorithm policy.mint-audiences \
    policy.mint-certificate policy.mint-character policy.mint-claim-type \
    policy.mint-claim-value policy.mint-delivery policy.mint-empty policy.mint-encryption \
    policy.mint-encryption-algorithm policy.mint-encryption-place policy.mint-identifier \
    policy.mint-lifetime policy.mint-reserved-name policy.mint-signature \
    policy.mint-subject-twice policy.trust-file-key policy.trust-file-reference \
    policy.trust-file-remote policy.trust-file-syntax policy.trust-file-value \
    policy.unknown-algorithm-name registry.duplicate-issuer registry.unreadable-file \
    registry.unsafe-file registry.unwritable-file rules.too-many-passes signin.configuration \
    store.address transport.proxy wiring.check-exposed wiring.check-failed \
    wiring.client-header wiring.connection wiring.credential wiring.failure wiring.forged \
    wiring.gate wiring.header wiring.host wiring.path wiring.refusal wiring.resource \
    wiring.rule wiring.script wiring.session wiring.shared wiring.sign-in wiring.target \
    wiring.unprotected wiring.unreachable
    """,
    .person: """
    client.permission gate.forbidden gate.no-rule gate.step-up gate.step-up-in-vain \
    issuing.admin-role issuing.cancelled issuing.freshness issuing.password response.status \
    rules.no-output session.cancelled signin.context signin.loop signin.refused
    """,
    .provider: """
    issuing.metadata-unavailable issuing.provider-answer registry.content-encoding registry.document-expired \
    registry.endpoint-address registry.entity-mismatch registry.introspection \
    registry.rollback registry.trust-expired registry.unavailable signin.claims-unavailable \
    signin.incompatible-provider signin.no-endpoint transport.busy \
    transport.malformed-response transport.no-connection transport.paused transport.redirect transport.status transport.timeout \
    transport.too-large transport.unreachable transport.untrusted-server
    """,
    .service: """
    gate.rehearsal issuing.rate registration.full replay.store-full signin.session-store \
    signin.session-store-owned signin.session-store-version signin.sessions-full store.clock \
    store.forgets store.other-keys store.protocol store.refused store.timeout store.tls \
    store.unavailable store.unknown transport.cancelled
    """,
  ]

  private static func names(_ text: String) -> Set<String> {
    Set(text.split(separator: " ").map(String.init))
  }

  private static func code(_ name: String) throws -> TokenError.Code {
    try #require(ErrorCatalogue.codes.first { $0.rawValue == name }, "\(name)")
  }

  @Test("Each code says once whose fault it is", arguments: TokenError.Fault.allCases)
  func faults(fault: TokenError.Fault) {
    let found = Set(ErrorCatalogue.codes.filter { $0.fault == fault }.map(\.rawValue))
    guard fault != .sender else {
      let others = Self.faults.values.map(Self.names).reduce(Set()) { $0.union($1) }
      #expect(found.isDisjoint(with: others))
      #expect(found.count + others.count == Set(ErrorCatalogue.codes).count)
      return
    }
    let expected = Self.names(Self.faults[fault] ?? "")
    #expect(found.symmetricDifference(expected) == [], "\(fault)")
  }

  @Test("A refusal of a site is 400, or 503 where the same request may be accepted later")
  func statuses() {
    let others = [
      "input.too-large": 413, "signin.context": 403, "signin.not-a-navigation": 403,
      "signin.provider": 404,
    ]
    for code in ErrorCatalogue.codes {
      let isLater = [.provider, .configuration, .service].contains(code.fault)
      #expect(code.status == others[code.rawValue] ?? (isLater ? 503 : 400), "\(code)")
    }
  }

  @Test(
    "A fault of this service or of a provider says nothing of a bearer token: 503 without a challenge"
  )
  func tokens() {
    for code in ErrorCatalogue.codes {
      let answer = TokenAuthenticator.refusal(TokenError(code))
      let isLater = [.provider, .configuration, .service].contains(code.fault)
      #expect(answer.status == (isLater ? 503 : 401), "\(code)")
      #expect((answer.fields["WWW-Authenticate"] == nil) == isLater, "\(code)")
    }
  }

  @Test("The name in an authorization response, and the status in a SAML response, by code")
  func names() throws {
    let rows: [(code: String, name: String, saml: String)] = [
      ("issuing.authorization-request", "invalid_request", ""),
      ("exchange.target", "invalid_target", ""), ("exchange.scope", "invalid_scope", ""),
      ("issuing.freshness", "login_required", "AuthnFailed"),
      ("issuing.cancelled", "access_denied", "AuthnFailed"),
      ("issuing.provider-answer", "server_error", "AuthnFailed"),
      ("issuing.subject", "access_denied", "AuthnFailed"),
      ("signin.refused", "access_denied", "AuthnFailed"),
      ("signin.context", "access_denied", "NoAuthnContext"),
      ("issuing.name-format", "access_denied", "InvalidNameIDPolicy"),
      ("issuing.saml-request", "access_denied", "RequestUnsupported"),
      ("issuing.no-certificate", "server_error", ""), ("issuing.rate", "access_denied", ""),
      ("store.unavailable", "temporarily_unavailable", ""),
      ("transport.timeout", "server_error", ""), ("response.status", "access_denied", ""),
      ("signature.invalid", "access_denied", ""), ("audience.mismatch", "server_error", ""),
    ]
    for (name, expected, second) in rows {
      let error = TokenError(try Self.code(name))
      #expect(
        OpenIDEndpoint.errorName(error, ACSRefusal(error)).rawValue == expected, "\(name)")
      let saml = ErrorAnswer(error).saml
      #expect(saml.second ?? "" == second, "\(name)")
      let isRequester = ["InvalidNameIDPolicy", "RequestUnsupported"].contains(second)
      #expect(saml.first == (isRequester ? "Requester" : "Responder"), "\(name)")
    }
  }

  @Test("A reason decides, and no text: what was found may be anything")
  func reasons() {
    let rows: [(TokenError, name: String, saml: String?)] = [
      (TokenError(.issuingFreshness, node: "passive", .isPassive), "login_required", "NoPassive"),
      (TokenError(.issuingFreshness, .isPassiveChoice), "account_selection_required", "NoPassive"),
      (TokenError(.issuingFreshness, .authenticationContext), "login_required", "NoAuthnContext"),
      (
        TokenError(.issuingFreshness, node: "passive", found: "a choice of providers"),
        "login_required", "AuthnFailed"
      ),
      (TokenError(.signInRefused, .named(.consentRequired)), "consent_required", "AuthnFailed"),
      (TokenError(.signInRefused, .named(.invalidScope)), "access_denied", "AuthnFailed"),
      (TokenError(.signInRefused, found: "consent_required"), "access_denied", "AuthnFailed"),
      (
        TokenError(.issuingAuthorizationRequest, .named(.requestNotSupported)),
        "request_not_supported", nil
      ),
    ]
    for (error, name, saml) in rows {
      #expect(OpenIDEndpoint.errorName(error, ACSRefusal(error)).rawValue == name, "\(error)")
      #expect(ErrorAnswer(error).saml.second == saml, "\(error)")
    }
    for code in [TokenError.Code.signInRefused, .responseStatus] {
      #expect(ErrorAnswer(TokenError(code), isPassive: true).saml.second == "NoPassive")
    }
    #expect(SignInSite.isRepetition(TokenError(.signInRefused, .named(.invalidGrant))))
    #expect(!SignInSite.isRepetition(TokenError(.signInRefused, found: "\"invalid_grant\"")))
  }
}
