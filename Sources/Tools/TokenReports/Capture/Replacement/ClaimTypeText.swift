/// Names of claims that many issuers use.
enum ClaimTypeText {
  static let uris: [String] =
    SAMLText.names(
      "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/",
      """
      name nameidentifier emailaddress givenname surname upn anonymous authentication country \
      dateofbirth gender homephone locality mobilephone otherphone postalcode privatepersonalidentifier \
      stateorprovince streetaddress webpage sid dns
      """)
    + SAMLText.names(
      "http://schemas.microsoft.com/ws/2008/06/identity/claims/",
      """
      role authenticationmethod authenticationinstant windowsaccountname groupsid primarysid \
      primarygroupsid expiration expired userdata version wids groups
      """)
    + SAMLText.names(
      "http://schemas.microsoft.com/",
      """
      identity/claims/objectidentifier identity/claims/tenantid identity/claims/identityprovider \
      identity/claims/displayname claims/authnmethodsreferences \
      accesscontrolservice/2010/07/claims/identityprovider
      """)
    + SAMLText.names(
      "http://schemas.xmlsoap.org/claims/", "EmailAddress UPN Group CommonName Name")
    + json + swt + formFields

  /// Registered members of JSON Web Tokens and their headers.
  static let json: [String] = SAMLText.names(
    "",
    """
    iss sub aud exp nbf iat jti nonce azp auth_time acr amr at_hash c_hash sid typ alg kid cty crit \
    b64 jku jwk x5u x5c x5t x5t#S256 enc zip kty n e crv x y k use key_ops name given_name family_name \
    middle_name nickname preferred_username profile picture website email email_verified gender \
    birthdate zoneinfo locale phone_number phone_number_verified address updated_at role roles groups \
    scope scp client_id appid tid oid upn ver events securityToken tokenType appliesTo context created \
    expires
    """)

  /// Reserved names of Simple Web Tokens, also as attackers spell them.
  static let swt = SAMLText.names(
    "",
    """
    Issuer Audience ExpiresOn HMACSHA256 issuer ISSUER audience AUDIENCE expireson EXPIRESON \
    hmacsha256
    """)

  /// Fields of forms that carry tokens.
  static let formFields = SAMLText.names(
    "",
    """
    SAMLResponse SAMLRequest SAMLart RelayState SigAlg wresult wa wctx wct wtrealm wreply id_token \
    access_token token_type expires_in assertion client_assertion grant_type wrap_access_token \
    wrap_access_token_expires_in code state
    """)

  static let members = Set(json)
}
