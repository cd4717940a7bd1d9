import Testing
import TokenBasics

/// Documents, words and damage that support people are sent in place of tokens, keys, metadata and trust files.
@Suite("Documents of other programs, words with a prefix and damaged tokens are named")
struct DocumentKindTests {
  static let token = "eyJhbGciOiJSUzI1NiJ9.e30.AAAA"
  /// DER with the elements of a certificate, in base64.
  static let certificate =
    "MIIBDDCCAQCgAwIBAgSB+" + String(repeating: "A", count: 331) + "MAIFAAMCAAA="
  static let secret =
    #"{"apiVersion":"v1","kind":"Secret","data":{"tls.crt":"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJBQT09"#
    + #"Ci0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K"}}"#
  static let pem = "-----BEGIN CERTIFICATE-----\nMIIBAA==\n-----END CERTIFICATE-----"

  static func lines(_ before: (Int) -> String, _ after: String = "") -> String {
    pem.split(separator: "\n").enumerated().map { before($0.offset + 1) + $0.element + after }
      .joined(separator: "\n")
  }

  static let kinds: [(String, TextKind)] = [
    (secret, TextKind.kubernetes), (#"{"apiVersion":"v1","kind":"List","items":[]}"#, .kubernetes),
    ("# extended LDIF\n#\ndn: uid=a\nobjectClass: pkiUser\n", .ldif),
    (#"{"Credentials":{"AccessKeyId":"ASIA","SessionToken":"a"}}"#, .credentials),
    ("<AssumeRoleWithSAMLResponse><a/></AssumeRoleWithSAMLResponse>", .credentials),
    ("[Interface]\nPrivateKey = a\n", .credentials), ("JBSWY3DPEHPK3PXPJBSWY3DP", .credentials),
    ("otpauth://totp/a?secret=JBSWY3DP", .credentials),
    ("redis://ada:secret@rp.example/0", .credentials),
    (#"{"device_code":"a","user_code":"b"}"#, .otherDocument),
    ("<configuration><a/></configuration>", .otherDocument),
    (
      "<x:Metadata xmlns:x=\"http://schemas.xmlsoap.org/ws/2004/09/mex\"><a/></x:Metadata>",
      .otherDocument
    ),
    ("$ANSIBLE_VAULT;1.1;AES256\n62313365", .privateText),
    ("Thumbprint : AB12\nSubject    : CN=idp\n", .propertyList),
    ("https://idp.example/a?response_type=code&client_id=b", .signInRequest),
    ("spiffe://rp.example/web", .principal), ("CN=idp.example, O=Example", .principal),
    ("rm=0&id=passive&ru=%2fapp", .otherFields), ("wctx=a", .otherFields),
    ("0oRDoQEmoQRIMTExMTExMTE", .cborToken), ("$2b$12$KIXQ8f1k4nE9m2d5kCw8uO", .passwordHash),
    ("TlRMTVNTUAADAAAAGAAYAHIAAAA=", .ticket),
    ("Cookie: a.0=eyJ; a.1=bbb", .cookiePieces), ("JSESSIONID=0A1B; Path=/; HttpOnly", .cookie),
    ("{\"a\":{\"b\":\"\(token)\"}}\n{\"a\":1}", .jsonLines),
    ("<![CDATA[<a:Response/>]]>", .cdata), ("b'\(token)'", .quoted),
    ("This XML file does not appear\n<EntityDescriptor/>", .markupInside),
    (lines({ "\($0):" }), .numberedLines), (lines({ "\($0)\t" }), .numberedLines),
    (lines({ "\($0)\n" }), .numberedLines), (lines({ _ in "" }, "$"), .shownEnds),
    ("[45, 45, 45, 45, 45, 66, 69, 71, 73, 78, 32, 67, 69, 82, 84, 73, 70]", .byteArray),
    (token + token, .severalTokens), ("yJhbGciOiJSUzI1NiJ9.e30.AAAAAAAAAAAAAA", .withoutBeginning),
    ("eyJhbGciOiJSUzI1NiJ9.e30.AAAA.BBBB", .lostPart),
    ("eyJhbGciOiJkaXIiLCJlbmMiOiJBIn0..a.b", .lostPart), ("E" + token.dropFirst(), .changedCase),
    ("eyJhbGciOiJSUzI1NiJ9.e30\u{2013}.AAAA", .typographic),
    ("id,token\na,\(token)\nb,\(token)B", .table),
    (
      "    0:d=0  hl=4 l= 900 cons: SEQUENCE\n    4:d=1  hl=4 l= 620 cons: SEQUENCE",
      .certificateText
    ),
    ("2048 SHA256:abc me@host (RSA)", .fingerprint),
    ("IDX10503: Signature validation failed.", .errorMessage),
    ("keytool error: java.io.IOException: a", .errorMessage),
    ("#Software: Microsoft Internet Information Services\n#Fields: date time\n", .log),
  ]

  @Test("Each kind by its structure", arguments: kinds)
  func kind(text: String, kind: TextKind) {
    #expect(RecognisedText.of(text.utf8).kind == kind)
  }

  static let advices: [(String, TextPlace, String)] = [
    (secret, TextPlace.key, #"jq -r '.data["tls.crt"]' FILE | base64 -d"#),
    ("cert:\n  idp: \(certificate)\n", .key, "line 2, behind idp:"),
    (#"{"a":[{"b":"\#(certificate)"}]}"#, .key, "jq -r '.a[0].b' FILE | base64 -d"),
    ("https://idp.example/keys", .keySet, "claims trust fetch"),
    ("https://idp.example/m", .metadata, "curl -o FILE ADDRESS"),
    ("https://idp.example/t", .trustFile, "claims trust fetch FILE"),
    ("{\"a\":{\"b\":\"\(token)\"}}\n{\"a\":1}", .token, "jq -r '.a.b' FILE"),
    (token + token, .token, "byte 29"), (lines({ "\($0)\t" }), .key, "[[:space:]]"),
    ("id,token\na,\(token)\nb,\(token)B", .token, #"column "token""#),
    ("<configuration><a/></configuration>", .metadata, "another program"),
    ("<b><a/></b>", .metadata, "EntityDescriptor"),
    (#"{"Credentials":{"AccessKeyId":"ASIA"}}"#, .token, "SAMLAssertion"),
    ("Set-Cookie: a=\(token); Path=/", .token, #"the cookie "a""#),
    ("> -----BEGIN CERTIFICATE-----\n> MIIBAA==\n> -----END CERTIFICATE-----", .key, "take the >"),
    ("\u{2014}\u{2013}-BEGIN CERTIFICATE\u{2014}-\nMIIBAA==", .key, "five hyphens"),
  ]

  @Test("The advice says what to do with it", arguments: advices)
  func advice(text: String, place: TextPlace, words: String) {
    let hint = TextAdvice.hint(RecognisedText.of(text.utf8), at: place) ?? ""
    #expect(hint.contains(words), "\(hint)")
  }

  @Test("A value never stands in what is said of a text: names, kinds and sizes do")
  func secrets() {
    let secret = "c2VjcmV0LXZhbHVl"
    for text in [
      "{\"client_id\":\"a\",\"client_secret\":\"\(secret)\"}", "A=\(secret)\nB=\(secret)\n",
      "\(secret)=\n\(secret)=\n",
      "a: \(secret)\nb: \(secret)\n", "[Interface]\nPrivateKey = \(secret)\n",
      "a=\(secret)&b=\(secret)",
      "redis://ada:\(secret)@rp.example/0", "Cookie: a=\(secret); b=\(secret)",
      "password \(secret)",
    ] {
      let found = RecognisedText.of(text.utf8)
      for place in TextPlace.allCases {
        let said = found.shown + (TextAdvice.hint(found, at: place) ?? "")
        #expect(!said.contains(secret), "\(said)")
      }
    }
  }

  @Test("A private key beside a certificate is never the member to save")
  func privateMember() {
    let text =
      #"{"key":"-----BEGIN PRIVATE KEY-----\nMIIB","cert":"-----BEGIN CERTIFICATE-----\nMIIB"}"#
    let both = RecognisedText.of(text.utf8)
    #expect(both.shown.contains("private key beside it"))
    #expect(TextAdvice.hint(both, at: .key)?.contains(".cert'") == true)
    let alone = RecognisedText.of(#"{"key":"-----BEGIN PRIVATE KEY-----\nMIIB"}"#.utf8)
    #expect(alone.kind == .credentials)
    #expect(TextAdvice.hint(alone, at: .key)?.contains("keep it secret") == true)
  }
}
