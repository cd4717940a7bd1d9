import Testing
import TokenBasics

/// Settings, listings and headers of other programs that an independent judge pasted: whose they are, and what is of use.
@Suite("Settings of other programs, documents around metadata and links to files")
struct ProgramTextTests {
  static let spring =
    "spring:\n  security:\n    jwt:\n      issuer-uri: https://idp.example\n"
    + "      jwk-set-uri: https://idp.example/keys\n"
  static let istio =
    "apiVersion: security.istio.io/v1\nkind: RequestAuthentication\nspec:\n  jwtRules:\n"
    + "  - issuer: \"https://idp.example\"\n    jwksUri: \"https://idp.example/keys\"\n"
  static let secret =
    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ndata:\n  tls.key: LS0t\n  tls.crt: LS0t\n"
  static let appsettings =
    "{\n  // Entra\n  \"AzureAd\": {\"TenantId\": \"a\", \"Audience\": \"b\"},\n"
    + "  \"AllowedHosts\": \"*\",\n}"
  static let provider =
    #"{"SAMLProviderUUID":"A","SAMLMetadataDocument":"<?xml version=\"1.0\"?>\n<md:EntityDescriptor "#
    + #"xmlns:md=\"urn:x\"/>"}"#
  static let php =
    "<?php\n$metadata['a'] = [\n 'SingleSignOnService' => 'b',\n 'certData' => 'c',\n];\n"
  static let listing =
    "Certificate     : [Subject]\n                    CN=idp\n\n                  [Issuer]\n"
    + "                    CN=idp\n\n                  [Thumbprint]\n                    9A51\n"
  static let shortcut =
    "[{000214A0-0000-0000-C000-000000000046}]\nProp3=19,11\n[InternetShortcut]\n"
    + "URL=https://idp.example/trust.json\n"
  static let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d6a\nsize 1839\n"
  static let numbers = "Private-Key: (2048 bit)\nmodulus:\n    00:e1\nprivateExponent:\n    04:8b\n"
  static let oauth = "OAuth oauth_consumer_key=\"a\", oauth_token=\"b\", oauth_version=\"1.0\""
  static let known = "|1|F1E=|39= ssh-ed25519 AAAAC3Nz\nidp.example ssh-rsa AAAAB3Nz\n"

  static let kinds: [(String, TextKind)] = [
    (spring, TextKind.yaml), (istio, .kubernetes), (secret, .kubernetes),
    (appsettings, .otherDocument), (provider, .metadataInside),
    ("<a><b><![CDATA[<EntityDescriptor entityID=\"c\"/>]]></b></a>", .metadataInside),
    (php, .sourceText), (listing, .propertyList), (shortcut, .surrogate), (pointer, .surrogate),
    ("[Desktop Entry]\nType=Link\nURL=https://idp.example\n", .surrogate),
    ("<plist><dict><key>URL</key><string>a</string></dict></plist>", .surrogate),
    (numbers, .privateKeyText), ("ED25519 Private-Key:\npriv:\n    00:01\npub:\n", .privateKeyText),
    ("a._domainkey IN TXT \"v=DKIM1; k=rsa; p=MIIB\"", .mailKey), (known, .sshPublicKey),
    (oauth, .otherScheme), ("Authorization: \(oauth)", .otherScheme),
    ("Signature keyId=\"a\", algorithm=\"b\", signature=\"c\"", .otherScheme),
    ("AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=c", .otherScheme),
    (
      "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Digest username=\"a\", realm=\"b\"\r\n",
      .otherScheme
    ),
    ("curl -H 'Authorization: Hawk id=\"a\", mac=\"b\"' https://rp.example", .otherScheme),
    ("OAuth ghp_a1B2c3D4e5F6", .headerField), ("[a]\n[b]\nname: c\n", .settingsFile),
    ("v4.public.eyJzdWIiOiJhIn0abcdefghijkl", .opaqueToken),
    ("[10:58, 29.11.2026] Ada Bell: the token of yesterday is refused", .log),
    ("module.exports = { issuer: 'a' };", .sourceText),
  ]

  @Test("Each kind by its structure", arguments: kinds)
  func kind(text: String, kind: TextKind) {
    #expect(RecognisedText.of(text.utf8).kind == kind)
  }

  static let advices: [(String, TextPlace, String)] = [
    (spring, TextPlace.trustFile, "issuer-uri as name, jwk-set-uri as keysAt"),
    ("OIDC_ISSUER=https://a\nPORT=1\n", .trustFile, "OIDC_ISSUER as name, with openID: true"),
    (spring, .key, "jwks:FILE"), (spring, .metadata, "YAML of Spring Boot"),
    (istio, .trustFile, "RequestAuthentication"), (istio, .trustFile, "jwksUri as keysAt"),
    (secret, .key, #"jsonpath='{.data.tls\.crt}' | base64 -d"#), (secret, .key, "tls.key in it"),
    (secret, .privateKey, #"{.data.tls\.key}"#),
    (appsettings, .trustFile, "Audience as audiences"), (appsettings, .trustFile, "TENANT/v2.0"),
    ("issuers:\n  - name: a\n    openID: true\n", .trustFile, "write it as JSON"),
    (provider, .metadata, "jq -r '.SAMLMetadataDocument' FILE"),
    (provider, .key, "trusted metadata"), (php, .metadata, "XML metadata of the same issuer"),
    (listing, .metadata, "FederationMetadata.xml"), (listing, .key, "Export-Certificate"),
    (shortcut, .trustFile, "download the file"), (pointer, .metadata, "git lfs pull"),
    (numbers, .key, "-pubout"), (numbers, .key, "secret"), (known, .key, "SSH servers"),
    (oauth, .token, "oauth_token is opaque"),
    ("v4.public.eyJzdWIiOiJhIn0abcdefghijkl", .token, "PASETO library"),
    ("v4.local.eyJzdWIiOiJhIn0abcdefghijkl", .token, "encrypted"),
  ]

  @Test("The advice says whose it is and what of it is of use", arguments: advices)
  func advice(text: String, place: TextPlace, words: String) {
    let hint = TextAdvice.hint(RecognisedText.of(text.utf8), at: place) ?? ""
    #expect(hint.contains(words), "\(hint)")
  }

  @Test("YAML and JSON of another program are never to be written as JSON")
  func otherPrograms() {
    for text in [Self.spring, Self.istio, Self.secret, Self.appsettings] {
      let hint = TextAdvice.hint(RecognisedText.of(text.utf8), at: .trustFile) ?? ""
      #expect(!hint.contains("write it as JSON"), "\(hint)")
      #expect(hint.contains("trust file"), "\(hint)")
    }
  }

  @Test(
    "A file of settings is no secret",
    arguments: [
      "# a\nPORT=1\nJWT_SECRET=abc\n", "JWT_SECRET=n8QDbSdz", "export API_TOKEN=n8QDbSdz\n",
      "a=b\nc=d\n",
    ])
  func settings(text: String) {
    let fault = KeyAdvice.fault(ofSecret: Array(text.utf8), ".env")
    #expect(fault?.code == .unreadableKey)
    #expect(fault?.hint.contains("n8QDbSdz") == false)
  }

  @Test(
    "A secret with = in it stays a secret",
    arguments: [
      "c2VjcmV0LXZhbHVlLXNlY3JldA==", "c2VjcmV0LXZhbHVlLXNlY3JldKEY=\n", "secret=of one line",
      "n8Q=DbSdz+ktt", "PORT=3000", "a correct horse\nbattery staple\n",
      "c2VjcmV0LXZhbHVl\nc2VjcmV0LXZhbA==\n",
    ])
  func secrets(text: String) {
    #expect(KeyAdvice.fault(ofSecret: Array(text.utf8), "key") == nil)
  }
}
