import HTTPExchange
import SignIn

extension AdminEndpoint {
  /// What was typed into the form that tries rules.
  struct TrialFields {
    var realm = ""
    var provider = ""
    var claims = ""
    var token = ""
  }

  /// The form that tries rules.
  func tryForm(_ session: String, _ values: TrialFields) -> PageContent.Form {
    PageContent.Form(
      to: "/admin/try", fields: [(name: "csrf", value: adminToken(session))],
      inputs: [
        .init(
          "realm", label: "Relying party", value: values.realm,
          choices: service.namespace.relyingParties.map {
            (value: $0.realm, text: service.namespace.label(of: $0))
          }),
        .init(
          "provider", label: "Identity provider", value: values.provider,
          choices: [(value: "acs", text: "this service")]
            + service.namespace.providers.map { (value: $0.id, text: $0.name) }),
        .init(
          "claims", label: "Claims, such as emailaddress=mia@example.org; role=staff",
          value: values.claims),
        .init("token", label: "or a token, which is read without being verified"),
      ], button: "Try the rules", action: .primary, heading: "Try the rules")
  }

  /// The page that says which rule gives which claim.
  func trial(_ form: FormReader, _ session: String) -> PageContent {
    let values = TrialFields(
      realm: form["realm"] ?? "", provider: form["provider"] ?? "", claims: form["claims"] ?? "",
      token: form["token"] ?? "")
    var content = PageContent("Rules tried")
    do throws(TokenError) {
      let party = try service.namespace.relyingParty(values.realm)
      let claims = try Self.claims(values)
      let source: RuleIssuer =
        values.provider == "acs" ? .service : .provider(values.provider)
      let given = try service.namespace.rules(of: party).evaluate(
        claims, from: source, issuer: service.namespace.issuer)
      content.tables = [
        PageContent.Table(
          "Claims", heads: ["Type", "Value", "By rule", "Pass"],
          rows: given.map { claim in
            [
              ClaimShorthand.name(of: claim.claim.type), claim.claim.value,
              claim.group + ": " + sentence(claim.rule),
              "\(claim.pass)",
            ]
          })
      ]
    } catch {
      content.notes = IssuingService.explanation(error, ACSRefusal(error))
      content.details = (error.code.rawValue, nil)
    }
    content.forms = [tryForm(session, values)]
    content.nextLink = PageContent.Link("Back", to: "/admin")
    return content
  }

  /// The claims that were typed, or those of a token.
  private static func claims(_ values: TrialFields) throws(TokenError) -> ClaimSet {
    guard values.token.isEmpty else {
      return try AnyToken(reading: Array(values.token.utf8)).unverifiedClaims
    }
    var claims: [Claim] = []
    for part in values.claims.split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else {
        throw TokenError(.issuingField, node: "claims", expected: "type=value; type=value")
      }
      let name = String(pair[0].drop { $0 == " " })
      claims.append(Claim(ClaimShorthand.type(name), String(pair[1])))
    }
    return ClaimSet(claims)
  }
}
