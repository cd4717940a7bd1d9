import SignIn
import TestSupport
import Testing

/// What a principal says of its sign-in, which rules of the gate and the answers of the token service rely on.
@Suite("How and when a principal proved who it is")
struct PrincipalAuthenticationTests {
  private func principal(_ format: TokenFormat, _ claims: [Claim]) -> FederatedPrincipal {
    FederatedPrincipal(
      issuer: "https://idp.example/", subject: "ada", claims: ClaimSet(claims), format: format,
      issuerSession: IssuerSession(), warnings: [])
  }

  private func added(_ name: String, _ value: String) -> Claim {
    Claim(
      ClaimType(name), value,
      properties: [OpenIDSignIn.sourceProperty: OpenIDSignIn.userInfo])
  }

  @Test("What UserInfo adds is no word about the sign-in, and allows nothing")
  func unsigned() {
    let unsigned = principal(.jwt, [added("acr", "mfa"), added("auth_time", "1893499000")])
    #expect(unsigned.authenticationContexts.isEmpty && unsigned.authenticatedAt == nil)
    #expect(principal(.jwt, [added("scope", "admin"), added("scp", "x")]).tokenScopes.isEmpty)
    let signed = principal(.jwt, [Claim("acr", "mfa"), Claim("scope", "a b"), Claim("scp", "c")])
    #expect(signed.authenticationContexts == ["mfa"] && signed.tokenScopes == ["a", "b", "c"])
    let other = principal(.jwt, [Claim("ACR", "mfa"), Claim("acr_values", "mfa")])
    #expect(other.authenticationContexts.isEmpty)
  }

  @Test("The oldest instant counts, and none where one of them cannot be read")
  func instants() {
    let (early, late) = ("2029-12-31T23:00:00Z", "2029-12-31T23:30:00Z")
    let instant = try? Instant(dateTime: early)
    for (values, expected) in [
      ([early], instant), ([late, early], instant), ([late, early, "yesterday"], nil), ([], nil),
    ] {
      let saml = principal(.saml20, values.map { Claim(.authenticationInstant, $0) })
      #expect(saml.authenticatedAt == expected, "\(values)")
    }
    for (text, seconds) in [("1893499000", 1_893_499_000), ("\"x\"", nil)] as [(String, Int64?)] {
      let found = principal(.jwt, [Claim("auth_time", text)]).authenticatedAt
      #expect(found?.seconds == seconds, "\(text)")
    }
  }

  @Test("A sign-in that was asked for nothing is none that was asked")
  func asked() {
    #expect(AskedAuthentication(contexts: [], maxAge: nil) == nil)
    #expect(AskedAuthentication(contexts: [], maxAge: 0)?.maxAge == 0)
    #expect(AskedAuthentication(contexts: ["mfa"], maxAge: nil)?.contexts == ["mfa"])
  }

  @Test("A challenge has no octet that could end its quotes or its line")
  func challenge() {
    var challenge = TokenChallenge()
    #expect(challenge.text == "Bearer")
    challenge.add("scope", "a\"b\\c\r\nd\u{7f}\u{e4} ~!")
    challenge.add("max_age", "60")
    #expect(challenge.text == "Bearer scope=\"abcd ~!\", max_age=\"60\"")
  }
}
