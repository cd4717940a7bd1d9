import Testing
import TokenBasics

/// The table of kinds and places, walked whole.
@Suite("What a text is, and what to do about it where it is given")
struct TextAdviceTests {
  @Test(
    "Every kind has advice at every place where it does not belong", arguments: TextKind.allCases)
  func table(kind: TextKind) {
    for place in TextPlace.allCases where !Self.belongs(kind, place) {
      let hint = TextAdvice.hint(RecognisedText(kind), at: place)
      #expect(hint?.isEmpty == false, "\(kind) at \(place)")
      #expect(hint?.contains("pin the format") != true, "\(kind) at \(place)")
    }
  }

  @Test("A private key is never to be added to the trusted keys", arguments: TextPlace.allCases)
  func privateKeys(place: TextPlace) {
    for kind in TextKind.allCases where kind.isPrivate {
      let hint = TextAdvice.hint(RecognisedText(kind), at: place) ?? ""
      #expect(!hint.contains("belongs to the trusted keys"), "\(kind) at \(place): \(hint)")
    }
  }

  @Test("A text that holds no token is never to be passed alone")
  func nothingInside() {
    for kind in TextKind.allCases where !kind.holdsToken && kind != .environment {
      let hint = TextAdvice.hint(RecognisedText(kind), at: .token) ?? ""
      #expect(!hint.contains(" alone, "), "\(kind): \(hint)")
      #expect(!hint.hasSuffix(" alone"), "\(kind): \(hint)")
    }
  }

  /// Whether the kind is what is meant there, or nothing is known of it.
  static func belongs(_ kind: TextKind, _ place: TextPlace) -> Bool {
    switch kind {
    case .other: true
    case .token: place == .token || place == .line
    case .certificate, .publicKey: place == .key
    case .privateKey: place == .privateKey
    case .metadata: place == .metadata
    case .trustFile, .json: place == .trustFile
    case .opaqueToken, .apiKey, .identifier, .path, .fingerprint, .hexadecimal: place == .secret
    default: false
    }
  }

  @Test(
    "A text is recognised by its structure",
    arguments: [
      ("ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", TextKind.opaqueToken),
      ("550e8400-e29b-41d4-a716-446655440000", .identifier),
      ("Authorization: Basic YWRhOnNlY3JldA==", .basicCredentials),
      ("57:2B:2F:78:B1:84:0A:63:6F:74:56:A7:CA:8C:64:FE:25:0F:82:75", .fingerprint),
      ("apiVersion: v1\nkind: Secret\ndata:\n  tls.crt: LS0t", .kubernetes),
      ("https://idp.example/keys", .address),
      (#"{"vp_token":{"card":["eyJhbGciOiJFUzI1NiJ9.e30.AA~"]}}"#, .walletAnswer),
      (#"{"active":true,"sub":"ada"}"#, .introspection),
      (#"{"sub":"ada","email":"ada@example.test"}"#, .userInfo),
      ("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5", .sshPublicKey),
      ("eyJhbGciOiJSUzI1NiJ9.e30.AAAA\neyJhbGciOiJSUzI1NiJ9.e30.AAAB", .severalTokens),
      ("eyJhbGciOiJSUzI1NiJ9.e30.AA...", .shortened),
      ("eyJhbGciOiJSUzI1NiJ9.e30", .withoutSignature),
      ("eyJhbGciOiJSUzI1NiJ9.e30.AAAA", .token),
      ("&lt;t:RequestSecurityTokenResponse xmlns:t=&quot;urn:x&quot;&gt;", .escapedMarkup),
      ("<RSAKeyValue><Modulus>AQAB</Modulus></RSAKeyValue>", .keyValue),
      ("```\neyJhbGciOiJSUzI1NiJ9.e30.AAAA\n```", .codeBlock),
      ("> eyJhbGciOiJSUzI1NiJ9.e30.AAAA", .mailQuotation),
      ("${ACCESS_TOKEN}", .placeholder),
      ("the user could not sign in this morning", .prose),
      (
        "--x\r\nContent-Disposition: form-data; name=\"SAMLResponse\"\r\n\r\nPD94\r\n--x--",
        .multipart
      ),
      (
        "---- BEGIN SSH2 PUBLIC KEY ----\nAAAAB3NzaC1yc2E\n---- END SSH2 PUBLIC KEY ----",
        .sshPublicKey
      ),
      ("<<<<<<< HEAD\n{}\n=======\n[]\n>>>>>>> other", .mergeConflict),
      ("https://rp.example/cb?error=access_denied&state=a", .errorAnswer),
      ("https://rp.example/cb?code=SplxlOBeZQ&state=a", .authorizationCode),
      ("code=SplxlOBeZQ&state=a", .authorizationCode),
      ("GET /cb?code=SplxlOBeZQ&state=a HTTP/1.1", .authorizationCode),
      ("https://idp.example/sso?SAMLRequest=fVLL&RelayState=a", .samlRequest),
      ("SAMLResponse=3DPD94bWw", .quotedPrintable),
      ("<a:Assertion xmlns:a=3D\"urn:oasis:names:tc:SAML:2.0:assertion\"/>", .quotedPrintable),
      ("", .empty),
    ])
  func kinds(text: String, kind: TextKind) {
    #expect(RecognisedText.of(text.utf8).kind == kind)
  }

  @Test("Advice depends on the place: a trust file among keys, a certificate as metadata")
  func places() {
    let trust = RecognisedText.of(Array(#"{"issuers":[]}"#.utf8))
    #expect(TextAdvice.hint(trust, at: .key)?.contains("trust file") == true)
    #expect(TextAdvice.hint(trust, at: .key)?.contains("JWK set") == false)
    let certificate = RecognisedText(.certificate)
    #expect(TextAdvice.hint(certificate, at: .metadata)?.contains("the trusted keys") == true)
    #expect(TextAdvice.hint(certificate, at: .privateKey)?.contains("private key") == true)
    #expect(TextAdvice.hint(certificate, at: .key) == nil)
  }

  @Test("What is written where JSON is meant is named")
  func slips() {
    let cases: [(String, String)] = [
      ("{\"a\":1,\n}", "comma"), ("// x\n{}", "comment"), ("{'a':1}", "double quotation"),
      ("{\u{201C}a\u{201D}:1}", "typographic"), ("{\"a\":", "ends early"), ("a: 1\nb: 2", "YAML"),
      ("{\"a\":1,\"a\":2}", "twice"), ("\u{FEFF}{}", "byte order mark"),
      ("{a:1}", "quotation marks"),
    ]
    for (text, word) in cases {
      do throws(TokenError) {
        _ = try JSONParser.parse(Array(text.utf8))
        Issue.record("\(text) was read")
      } catch {
        #expect(JSONSlip(Array(text.utf8), error)?.hint.contains(word) == true, "\(text)")
      }
    }
  }
}
