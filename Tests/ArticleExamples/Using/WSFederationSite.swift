import SignIn

/// The sign-in of a service at one WS-Federation issuer, such as AD FS.
///
/// - Parameters:
///   - origin: The public address of the service, such as `https://app.example/`.
///   - realm: The name under which the issuer knows the service; the audience of its tokens.
///   - metadata: The federation metadata of the issuer.
///   - signer: The key that has to have signed the metadata.
func wsFederationSite(
  origin: String, realm: String, metadata: [UInt8], signedBy signer: VerificationKey?,
  pages: any PageRenderer, clock: any TimeSource = SystemTime()
) throws -> SignInSite {
  let settings = try SiteSettings(origin: HTTPURL(origin).origin)
  let party = try PassiveRelyingParty(realm: realm, reply: settings.address("wsfed"))
  let issuer = try SignInProvider.wsFederation(
    id: "adfs", name: "Company account", metadata: metadata,
    signedBy: signer.map { [TrustedKey($0)] }, party: party, at: clock.now)
  return try SignInSite(settings, providers: [issuer], pages: pages, clock: clock)
}
