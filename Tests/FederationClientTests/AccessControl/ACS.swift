import AccessControlCore
import Federation
import FederationClient
import Foundation
import HTTPExchange
import TestSupport
import TokenBasics

/// The namespace `talksns`, its tokens and its keys.
enum ACS {
  /// The formats that it issues.
  static let formats: [TokenFormat] = [.swt, .saml11, .saml20, .jwt]

  static let realm = "uri:talks.example.org"
  static let issuer = "https://talksns.accesscontrol.windows.net/"
  static let facebook = "Facebook-1234567890"
  /// Five minutes before the tokens of the reference vectors expire.
  static let now = Instant(secondsSinceEpoch: 1_893_455_700)

  static func service() throws -> AccessControlService {
    try AccessControlService(namespace: "talksns", realm: realm)
  }

  /// ACS's symmetric key for SWT and JWT, and a certificate for SAML.
  static func trust() throws -> Trust {
    let key = try SymmetricKey(bytes: Array(0..<32))
    let certificate = try VerificationKey(pemOrDER: TestVector.bytes("keys/idp-rsa.crt"))
    return Trust(
      issuers: [
        TrustedIssuer(issuer, keys: [.secret(key)], formats: [.swt, .jwt]),
        TrustedIssuer(issuer, keys: [certificate], formats: [.saml11, .saml20]),
      ], audiences: .oneOf([realm]))
  }

  static func client(
    _ transport: some HTTPTransport, time: ManualTime = ManualTime(now)
  ) throws -> AccessControlClient {
    AccessControlClient(
      try service(), trust: try trust(), transport: transport, time: time,
      observer: SecrecyObserver())
  }

  /// Made by hand from the protocol's text: a name with an umlaut, a plus in the address, two roles, and
  /// Facebook's token with `+` and `/` in it.
  static let swt =
    "http%3a%2f%2fschemas.xmlsoap.org%2fws%2f2005%2f05%2fidentity%2fclaims%2fnameidentifier=100004711&http%3a%2f%2fschemas.xmlsoap.org%2fws%2f2005%2f05%2fidentity%2fclaims%2fname=Mia+M%c3%bcller&http%3a%2f%2fschemas.xmlsoap.org%2fws%2f2005%2f05%2fidentity%2fclaims%2femailaddress=mia%2bnews%40example.org&http%3a%2f%2fschemas.microsoft.com%2fws%2f2008%2f06%2fidentity%2fclaims%2frole=editor%2cspeaker&http%3a%2f%2fwww.facebook.com%2fclaims%2fAccessToken=AAAB1%2bx%2fy%3d&http%3a%2f%2fschemas.microsoft.com%2faccesscontrolservice%2f2010%2f07%2fclaims%2fidentityprovider=Facebook-1234567890&Audience=uri%3atalks.example.org&ExpiresOn=1893456000&Issuer=https%3a%2f%2ftalksns.accesscontrol.windows.net%2f&HMACSHA256=V1WXaX%2b7E93CW3t%2fgvF3Z6Klywz%2fefw2ufEHEVVyB9Y%3d"

  /// One role and nothing else.
  static let shortSWT =
    "role=editor&Audience=uri%3atalks.example.org&ExpiresOn=1893456000&Issuer=https%3a%2f%2ftalksns.accesscontrol.windows.net%2f&HMACSHA256=hw1o9yxeQG1ioH6X6vYXmldC8hJkSml1ogBHvpZSzVc%3d"

  static let jwt =
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJ1cmk6dGFsa3MuZXhhbXBsZS5vcmciLCJpc3MiOiJodHRwczovL3RhbGtzbnMuYWNjZXNzY29udHJvbC53aW5kb3dzLm5ldC8iLCJuYmYiOjE4OTM0NTU0MDAsImV4cCI6MTg5MzQ1NjAwMCwibmFtZWlkIjoiMTAwMDA0NzExIiwiaWRlbnRpdHlwcm92aWRlciI6IkZhY2Vib29rLTEyMzQ1Njc4OTAifQ.dr6Ab8iebgSFtuzlkK_WCPGxga3gdl6QC1VetP0DKzw"

  /// A token with that nonce, or none, under the same key.
  static func jwt(nonce: String?) throws -> String {
    let parts = jwt.split(separator: ".").map(String.init)
    guard nonce != nil else { return jwt }
    let payload =
      #"{"aud":"\#(realm)","iss":"\#(issuer)","nbf":1893455400,"exp":1893456000,"#
      + #""nameid":"100004711","nonce":"\#(nonce ?? "")"}"#
    let signed = parts[0] + "." + Base64.encode(Array(payload.utf8), .url)
    let key = try SymmetricKey(bytes: Array(0..<32))
    return signed + "."
      + Base64.encode(key.authenticate(signed.utf8.span, with: .sha256) ?? [], .url)
  }

  static func draft(
    issuer: String = issuer, audience: String = realm, id: String = "_a1"
  ) -> TokenDraft {
    TokenDraft(
      issuer: issuer, audiences: [audience], subject: "100004711",
      claims: ClaimSet([Claim(.role, "editor"), Claim(.identityProvider, facebook)]),
      issuedAt: now.advanced(bySeconds: -300), lifetime: 600, id: id)
  }

  static func saml(_ version: SAMLToken.Version) throws -> SAMLIssuer {
    let certificate = try VerificationKey(pemOrDER: TestVector.bytes("keys/idp-rsa.crt")).material
    guard case .certificate(let certificate) = certificate else {
      throw TokenError(.unreadableKey)
    }
    return SAMLIssuer(
      version,
      key: try SigningKey(
        PrivateKey(pemOrDER: TestVector.bytes("keys/idp-rsa.key")), certificate: certificate))
  }

  static let swtType = TokenEnvelope.swtType
  static let jwtType = TokenEnvelope.jwtType

  static func binaryToken(_ token: String, _ type: String) -> String {
    TokenEnvelope.binaryToken(token.utf8, type: type)
  }

  static func tokenResponse(_ token: String, _ type: String) -> String {
    TokenEnvelope.response(token, type: type, context: "c")
  }

  /// `wresult` in each of the four formats.
  static func wresult(_ format: TokenFormat) throws -> String {
    switch format {
    case .swt: tokenResponse(binaryToken(swt, swtType), swtType)
    case .jwt: tokenResponse(binaryToken(jwt, jwtType), jwtType)
    case .saml11: String(decoding: try saml(.v1).tokenResponse(draft()), as: UTF8.self)
    default: String(decoding: try saml(.v2).tokenResponse(draft()), as: UTF8.self)
    }
  }

  /// The message of `javascriptnotify` as ACS writes it.
  static func notify(
    _ xml: String, _ type: String, context: String?, realm: String = realm
  ) throws -> String {
    TokenEnvelope.notifyMessage(
      xml, type: type, context: context, realm: realm,
      lifetime: now.advanced(bySeconds: -300)..<now.advanced(bySeconds: 300))
  }

  static func form(_ pairs: [(String, String)]) -> [UInt8] {
    Array(
      pairs.map { FormEncoding.encode($0.0) + "=" + FormEncoding.encode($0.1) }
        .joined(separator: "&").utf8)
  }

  static let list = """
    [{"Name":"Windows Live\\u2122 ID","LoginUrl":"https://login.live.com/login.srf?wa=wsignin1.0&wtrealm=https%3a%2f%2faccesscontrol.windows.net%2f&wctx=cHI9amF2YXNjcmlwdG5vdGlmeSZybT11cmklM2F0YWxrcy5leGFtcGxlLm9yZw2","LogoutUrl":"https://login.live.com/login.srf?wa=wsignout1.0","ImageUrl":"","EmailAddressSuffixes":[]},
    {"Name":"Google","LoginUrl":"https://www.google.com/accounts/o8/ud?openid.ns=x","LogoutUrl":null,"ImageUrl":"","EmailAddressSuffixes":[]},
    {"Name":"Facebook","LoginUrl":"https://www.facebook.com/dialog/oauth?client_id=1234567890&redirect_uri=https%3a%2f%2ftalksns.accesscontrol.windows.net%2fv2%2ffacebook&scope=email%2cpublish_stream","LogoutUrl":"","ImageUrl":"","EmailAddressSuffixes":[]},
    {"Name":"Yahoo!","LoginUrl":"https://open.login.yahooapis.com/openid/op/auth?x=y","LogoutUrl":"","ImageUrl":"","EmailAddressSuffixes":[]},
    {"Name":"Example Corp","LoginUrl":"https://fs.example.org/adfs/ls/?wa=wsignin1.0","LogoutUrl":"https://fs.example.org/adfs/ls/?wa=wsignout1.0","ImageUrl":"https://fs.example.org/logo.png","EmailAddressSuffixes":["example.org","example.net"]}]
    """
}
