import FederationClient

/// The sign-in of a website at a realm of Access Control Service; one value for the whole site.
///
/// - Parameters:
///   - namespace: The address of the service, such as `https://talks.accesscontrol.example/`.
///   - realm: The realm of the website as registered there.
///   - certificate: The signing certificate of the service, PEM or DER.
func websiteSignIn(
  at namespace: HTTPURL, realm: String, certificate: [UInt8], time: any TimeSource = SystemTime()
) throws -> PassiveSignIn {
  let service = try AccessControlService(base: namespace, realm: realm)
  let issuer = TrustedIssuer(
    service.issuer, keys: [try VerificationKey(pemOrDER: certificate)],
    formats: [.saml11, .saml20, .jwt])
  return PassiveSignIn(
    service, trust: Trust(issuers: [issuer], audiences: .oneOf([realm])), time: time)
}
