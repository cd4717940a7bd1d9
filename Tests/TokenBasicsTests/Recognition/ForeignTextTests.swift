import Testing
import TokenBasics

/// Texts and files of other programs: what each is, what it is not, and what to do about it.
@Suite("Files of other programs are named, and what only looks like one is not")
struct ForeignTextTests {
  static let token = "eyJhbGciOiJSUzI1NiJ9.e30.AAAA"
  static let mail =
    "Return-Path: <ada@rp.example>\r\nFrom: Ada <ada@rp.example>\r\nTo: help@idp.example\r\n"
    + "Subject: 401\r\nContent-Transfer-Encoding: base64\r\n\r\n"
  static let certificate =
    "-----BEGIN CERTIFICATE-----\nMIIBAA==\n-----END CERTIFICATE-----"
  static let kubeconfig =
    "apiVersion: v1\nkind: Config\nclusters:\n- cluster:\n    certificate-authority-data: LS0t\n"
    + "users:\n- user:\n    token: \(token)\ncurrent-context: a\n"
  static let openssh =
    "-----BEGIN OPENSSH PRIVATE KEY-----\n"
    + "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZWQyNTUx\n"
    + "OQAAACA=\n-----END OPENSSH PRIVATE KEY-----"
  static let dump =
    "00000000: 6579 4a68 6247 6369 4f69 4a53 557a 4931  eyJhbGciOiJSUzI1\n"
    + "00000010: 4e69 4a39 2e65 3330 2e41 4141 410a       NiJ9.e30.AAAA.\n"
  static let listing =
    "Keystore type: PKCS12\n\nAlias name: idp\nEntry type: trustedCertEntry\n\nOwner: CN=idp\n"

  static let structures: [(String, TextKind)] = [
    (mail + "SGVsbG8=\r\n", TextKind.mail), (kubeconfig, .kubeconfig), (dump, .hexDump),
    (
      "0000   65 79 4a 68 62 47 63 69 4f 69 4a 53 55 7a 49 31   eyJhbGciOiJSUzI1\n"
        + "0010   4e 69 4a 39 2e 65 33 30 2e 41 41 41 41            NiJ9.e30.AAAA\n", .hexDump
    ),
    ("\u{1B}[32m\(token)\u{1B}[0m", .terminalText),
    ("\u{1B}[?2004h" + certificate, .terminalText),
    ("1 -----BEGIN CERTIFICATE-----\n2 MIIBAA==\n3 -----END CERTIFICATE-----", .numberedLines),
    ("Certificate:\n    Data:\n        Version: 3 (0x2)\n", .certificateText),
    ("Public-Key: (2048 bit)\nModulus:\n    00:c1:2a\n", .keyText), (listing, .keyStoreListing),
    ("dn: CN=idp\nuserCertificate;binary:: MIIB\n AAAA\n", .ldif),
    ("<AuthnRequest ID=\"a\"/>", .samlRequest), ("GIF89a\u{1}\u{0}\u{1}\u{0}", .picture),
    ("%PDF-1.4\n1 0 obj", .document), ("{\\rtf1\\ansi a token}", .document),
    ("AADSTS50011: The redirect URI is not one of those.\nTimestamp: 2026-11-21", .errorMessage),
    ("curl: (60) error: the certificate is not trusted", .errorMessage),
    ("Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: a", .stackTrace),
    ("a.B: failed\n\tat a.C.d(C.java:1)\n\tat a.E.f(E.java:2)\n", .stackTrace),
    ("Nov 21 05:05:01 web rp[8]: the user was refused", .log),
    ("2026-11-21T05:05:00Z rp[77]: WARN refused jwt=\(token)", .logLine),
    ("[2026-11-21 05:05:00] WARN refused for ada jwt=\(token)", .logLine),
    ("curl -X POST https://idp.example/token -d grant_type=password", .bareCommand),
    ("GET / HTTP/1.1\r\nHost: rp.example\r\nAccept: */*\r\n\r\n", .bareRequest),
    ("FROM debian:12\nRUN true\n", .settingsFile), ("[idp]\nurl = a\n", .settingsFile),
    ("server {\n  listen 443;\n}\n", .settingsFile), ("id,user\n1,ada\n2,bob\n", .table),
    ("| a | b |\n|---|---|\n| 1 | 2 |", .table), ("#!/bin/sh\necho a\n", .sourceText),
    ("diff --git a/a b/a\n--- a/a\n+++ b/a\n", .diff),
    ("%7B%22keys%22%3A%5B%5D%7D", .percentEncoded), ("Modulus=C12A", .keyText),
    ("HEADER\n{\"alg\":\"RS256\"}\nPAYLOAD\n{\"sub\":\"ada\"}", .tokenHeader),
    ("error: invalid_grant\nerror_description: expired\n", .errorMessage),
    ("events {\n  a 1;\n}\nhttp {\n  b 2;\n}\n", .settingsFile),
    ("a.b=c\nsaml.url=https\\://idp.example\n", .environment),
    ("version: 1\nname: a\nlist:\n  - b\n", .yaml),
  ]

  @Test("Each kind by its structure", arguments: structures)
  func kinds(text: String, kind: TextKind) {
    #expect(RecognisedText.of(text.utf8).kind == kind)
  }

  static let others: [(String, TextKind)] = [
    (token, TextKind.token), ("[1, 2]", .json), ("{\"a\":1}", .json),
    ("Host: rp.example\r\nAuthorization: Bearer \(token)\r\n", .headerBlock),
    ("Authorization: Bearer \(token)", .headerField), ("Ada: \(token)", .textAroundToken),
    ("Note: the answer of the provider came late this morning.\nPlease look at it.", .prose),
    ("from the desk of ada\nplease call me back soon", .prose),
    ("Hello, since this morning\nthe page of the portal, alas, is white", .prose),
    ("1\t\(token)\n2\t\(token)x", .severalTokens), (certificate, .certificate),
    ("  1  ls\n  2  export TOKEN=\(token)\n  3  ls -l", .textAroundToken),
    ("curl -H 'Authorization: Bearer \(token)' https://rp.example", .command),
  ]

  @Test("What only looks like one of them", arguments: others)
  func lookAlikes(text: String, kind: TextKind) {
    #expect(RecognisedText.of(text.utf8).kind == kind)
  }

  static let advices: [(String, TextPlace, String)] = [
    (kubeconfig, TextPlace.key, "certificate-authority-data"),
    (kubeconfig, .token, "the field token"),
    (mail + "SGVsbG8=\r\n", .key, "attachment"), (mail + "SGVsbG8=\r\n", .token, "attachment"),
    (mail + "\(token)\r\n", .token, "stands in line 7"), (dump, .token, "xxd -r"),
    (dump, .key, "xxd -r"), ("<p>the token is \(token)</p>", .token, "alone"),
    ("<testsuites><failure>\(token)</failure></testsuites>", .token, "alone"),
    ("HTTP/1.1 200 OK\n\n{\"access_token\":\"\(token)\"}", .token, "the field access_token"),
    ("{\"a\":1,\"cert\":\"-----BEGIN CERTIFICATE-----\\nMIIB\"}", .key, "jq -r '.cert'"),
    ("\u{1B}[32m\(token)\u{1B}[0m", .token, "colours"),
    ("Certificate:\n    Data:\n        Version: 3 (0x2)\n", .key, "openssl x509"),
    (listing, .key, "-rfc"), ("dn: a\nuserCertificate;binary:: MIIB\n", .key, "base64 -d"),
    ("<AuthnRequest ID=\"a\"/>", .token, "SAMLResponse"),
    ("<LogoutRequest ID=\"a\"/>", .metadata, "message of SAML"),
    (openssh, .privateKey, "Ed25519 key cannot decrypt"),
    ("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5", .key, "Ed25519"),
    ("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n\(token)\n", .token, "line 4"),
    ("-----BEGIN PGP SIGNATURE-----\n\niHUE\n-----END PGP SIGNATURE-----", .metadata, "beside"),
    ("[21.11.26, 05:05] Ada: look\n[21.11.26, 05:06] Ada: \(token)", .token, "line 2"),
    ("[{\"text\":\"a\",\"b\":\"\(token)\"}]", .token, "jq -r '.[0].b'"),
    ("{\"a\":\"\(token)\",\"b\":\"\(token)B\"}", .token, "\"b\""),
    ("2026-11-21T05:05:00Z rp: WARN for ada jwt=\(token)", .line, "the field jwt"),
    ("{\"error\":\"invalid_tenant\"}", .metadata, "address"),
    ("AADSTS50011: The redirect URI is unknown.", .token, "before a token was issued"),
    ("%7B%22keys%22%3A%5B%5D%7D", .keySet, "percent-encoded"), ("k-2026-signing", .key, "kid"),
    ("\"{\\\"keys\\\":[]}\"", .keySet, "backslashes"), ("%PDF-1.4\n1 0 obj", .token, "copy"),
    ("access_token : eyJhbGciOiJSUzI1NiJ9\n               .e30.AAAA\ntype : a", .token, "line 1"),
  ]

  @Test("The advice is that of the kind at its place", arguments: advices)
  func advice(text: String, place: TextPlace, words: String) {
    let hint = TextAdvice.hint(RecognisedText.of(text.utf8), at: place) ?? ""
    #expect(hint.contains(words), "\(hint)")
  }

  @Test("A file of another program in which a token stands says so, and keeps its kind")
  func inside() {
    let compose = RecognisedText.of("services:\n  a:\n    env:\n      TOKEN: \(Self.token)\n".utf8)
    #expect(compose.kind == .yaml)
    #expect(compose.shown == "YAML of Docker Compose with a token in it")
    #expect(
      RecognisedText.of("services:\n  a:\n    image: b\n".utf8).shown == "YAML of Docker Compose")
    #expect(RecognisedText.of("user: a\nroles:\n  - b\n".utf8).shown == #"YAML ("user", "roles")"#)
  }

  @Test("A text in a text in a text, thousands of times, is looked into a few times alone")
  func nested() {
    let numbers = (1...3).map { number in
      String(repeating: "\(number) ", count: 20_000)
    }.joined(separator: "\n")
    let percents = String(repeating: "a%" + String(repeating: "25", count: 20_000), count: 3)
    let headers = String(repeating: "Authorization: Bearer ", count: 3_000) + "a"
    for text in [numbers, percents, headers] {
      #expect(RecognisedText.of(Array(text.utf8)).kind != .token)
    }
  }
}
