import Federation

func claims(ofResponse form: [UInt8], certificate: [UInt8], now: Instant) throws -> ClaimSet {
  let trust = Trust(
    issuers: [
      TrustedIssuer(
        "https://idp.example/idp", keys: [try VerificationKey(pemOrDER: certificate)],
        formats: [.saml20])
    ],
    audiences: .oneOf(["https://rp.example/saml"]))
  let verified = try TokenValidator(trust).validate(
    AnyToken(reading: form), at: now,
    expecting: Expectations(recipient: "https://rp.example/acs", inResponseTo: "_q1"))
  return verified.claims
}
