import Octets

/// Texts in which something else is encoded, and no whole token was found.
enum EncodedText {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    if sample.hasLowercased("&lt;") { return RecognisedText(.escapedMarkup) }
    if sample.beginsLowercased("%253c") || sample.hasLowercased("%252b") {
      return RecognisedText(.percentEncodedTwice)
    }
    if sample.beginsLowercased("%3c") { return RecognisedText(.percentEncodedMarkup) }
    if let text = percentEncoded(sample) { return text }
    guard sample.isBase64, sample.octets.count > 8 else { return nil }
    // Only what is base64 as it is written: a run of letters decodes to something too.
    guard let content = sample.decoded else { return nil }
    return inside(content)
  }

  /// A key, a set or a document in a percent-encoded line.
  private static func percentEncoded(_ sample: TextSample) -> RecognisedText? {
    guard sample.octets.count(where: { $0 == ASCII.percent }) > 2, sample.words.count == 1,
      let text = try? FormEncoding.decode(
        sample.octets, plus: sample.begins("-----BEGIN+") ? .isSpace : .isPlus)
    else { return nil }
    let inner = RecognisedText.of(text, inside: sample)
    guard ![.other, .binary, .percentEncoded, .opaqueToken].contains(inner.kind) else { return nil }
    var found = RecognisedText(.percentEncoded, name: "\(inner.name), percent-encoded")
    found.tokens = inner.tokens
    return found
  }

  private static func inside(_ content: [UInt8]) -> RecognisedText? {
    let octets = content[...]
    if let kind = ContentEncoding.compression(octets.span) {
      return RecognisedText(kind, form: .base64OfText, name: kind.rawValue)
    }
    if ContentEncoding.isUTF16(octets.span) {
      return RecognisedText(.utf16, form: .base64OfText)
    }
    guard ContentEncoding.isText(content), let first = content.first else { return nil }
    if first == ASCII.lessThan {
      let inner = MarkupText.recognise(TextSample(content))
      return inner.flatMap { $0.kind == .token ? nil : wrapped($0) }
    }
    if content.starts(with: "ey".utf8) { return RecognisedText(.base64OfToken) }
    let inner = TextSample(content)
    if inner.isBase64, inner.octets.count > 64, inner.decoded?.first == ASCII.lessThan {
      return RecognisedText(.base64Twice)
    }
    if let json = JSONText.recognise(inner) { return wrapped(json) }
    // A name and a password, as Basic has them.
    let parts = inner.text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 2, inner.words.count == 1, parts.allSatisfy({ $0.utf8.count > 1 }) {
      return RecognisedText(.basicCredentials)
    }
    return nil
  }

  private static func wrapped(_ inner: RecognisedText) -> RecognisedText {
    RecognisedText(inner.kind, form: .base64OfText, detail: inner.detail, name: inner.name)
  }
}

/// One word that no structure tells from any other, and what has a prefix of its own.
enum PlainText {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    if isPlaceholder(sample) { return RecognisedText(.placeholder) }
    if let name = principal(sample) { return RecognisedText(.principal, name: name) }
    guard sample.words.count == 1, sample.octets.count <= 8_192 else { return sentence(sample) }
    if let known = prefixed(sample) { return known }
    if isUUID(sample.lower) { return RecognisedText(.identifier) }
    if sample.begins("AAQA") || sample.begins("AAEA"), sample.decoded?.count ?? 0 == 44 {
      return RecognisedText(.artifact)
    }
    if isPath(sample) { return RecognisedText(.path) }
    return opaque(sample)
  }

  /// A distinguished name, or an address of mail.
  private static func principal(_ sample: TextSample) -> String? {
    guard sample.octets.count <= 512, !sample.octets.contains(ASCII.lineFeed) else { return nil }
    let isDistinguished =
      ["cn=", "uid=", "ou=", "o=", "dc=", "/c=", "/cn=", "/o="].contains(
        where: sample.beginsLowercased)
      && sample.octets.contains { ",/".utf8.contains($0) }
      && !sample.octets.contains(ASCII.ampersand)
    if isDistinguished { return "a distinguished name" }
    let parts = sample.text.split(separator: "@", omittingEmptySubsequences: false)
    let isMail =
      parts.count == 2 && sample.words.count == 1
      && parts[1].contains(".")
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isNumber || "._+-".contains($0) }
      }
    return isMail ? "an address of mail" : nil
  }

  /// Several words, none of which is as long as a part of a token, and without the structure of a file of settings.
  private static func sentence(_ sample: TextSample) -> RecognisedText? {
    if let message = ErrorText.recognise(sample) { return message }
    let words = sample.words
    guard words.count >= 4, sample.octets.count <= 1 << 16, !sample.begins("<"),
      sample.octets.count / words.count <= 14,
      ContentEncoding.isText(Array(sample.octets)),
      words.allSatisfy({ $0.utf8.count <= 40 && !$0.utf8.contains(ASCII.ampersand) }),
      !sample.octets.contains(UInt8(ascii: "{")), !sample.octets.contains(UInt8(ascii: "[")),
      !sample.lines.contains(where: { $0.hasSuffix(":") || $0.hasPrefix("- ") })
    else { return nil }
    return RecognisedText(.prose)
  }

  /// Whether it is the name of a variable or a word for nothing, where its value belongs.
  static func isPlaceholder(_ sample: TextSample) -> Bool {
    guard sample.octets.count <= 80 else { return false }
    let text = sample.lower.filter { !"\"'`".contains($0) }
    let nothing = [
      "null", "undefined", "none", "nil", "nan", "[object object]", "true", "false", "(null)",
      "<null>", "<none>", "<nil>",
    ]
    if nothing.contains(text) { return true }
    for (first, last) in [
      ("<", ">"), ("${", "}"), ("{{", "}}"), ("$(", ")"), ("%", "%"), ("[", "]"), ("#{", "}"),
    ] where text.hasPrefix(first) && text.hasSuffix(last) && text.count > first.count + last.count {
      let name = text.dropFirst(first.count).dropLast(last.count)
      if name.allSatisfy({ $0.isLetter || $0.isNumber || " _-.".contains($0) }) { return true }
    }
    return text.hasPrefix("$")
      && text.dropFirst().allSatisfy {
        $0.isLetter || $0.isNumber || $0 == "_"
      }
  }

  /// Prefixes that providers give their tokens, so that scanners find them.
  private static let prefixes: [(prefix: String, kind: TextKind, owner: String)] = [
    ("github_pat_", .opaqueToken, "a personal access token of GitHub"),
    ("ghp_", .opaqueToken, "a personal access token of GitHub"),
    ("gho_", .opaqueToken, "an access token of GitHub"),
    ("ghu_", .opaqueToken, "a user's token of GitHub"),
    ("ghs_", .opaqueToken, "a server's token of GitHub"),
    ("ghr_", .refreshToken, "a refresh token of GitHub"),
    ("glpat-", .opaqueToken, "a personal access token of GitLab"),
    ("gloas-", .opaqueToken, "an application's secret of GitLab"),
    ("gldt-", .opaqueToken, "a deploy token of GitLab"),
    ("glcbt-", .opaqueToken, "a job token of GitLab"),
    ("xox", .opaqueToken, "a token of Slack"), ("xapp-", .opaqueToken, "a token of Slack"),
    ("xoxe.", .refreshToken, "a refresh token of Slack"),
    ("ya29.", .opaqueToken, "an access token of Google"),
    ("1//", .refreshToken, "a refresh token of Google"),
    ("AIza", .apiKey, "an API key of Google"), ("sk_live_", .apiKey, "a secret key of Stripe"),
    ("sk_test_", .apiKey, "a secret key of Stripe"), ("sk-", .apiKey, "an API key"),
    ("pk_", .apiKey, "an API key"), ("AKIA", .apiKey, "an access key of AWS"),
    ("ASIA", .apiKey, "an access key of AWS"), ("SG.", .apiKey, "an API key of SendGrid"),
    ("sha256~", .opaqueToken, "an access token of OpenShift"),
    ("hvs.", .opaqueToken, "a token of Vault"), ("hvb.", .opaqueToken, "a token of Vault"),
    ("s.", .opaqueToken, "a token of Vault"), ("npm_", .opaqueToken, "a token of npm"),
    ("pypi-", .opaqueToken, "a token of PyPI"),
    ("dop_v1_", .opaqueToken, "a token of DigitalOcean"),
    ("dckr_pat_", .opaqueToken, "a token of Docker"), ("EAA", .opaqueToken, "a token of Facebook"),
    ("00D", .opaqueToken, "a session identifier of Salesforce"),
    ("0.A", .refreshToken, "a code or refresh token of Entra ID"),
    ("1.A", .refreshToken, "a code or refresh token of Entra ID"),
    ("M.C", .refreshToken, "a code or refresh token of a Microsoft account"),
    ("M.R", .refreshToken, "a code or refresh token of a Microsoft account"),
    ("v1.M", .refreshToken, "a refresh token of Auth0"),
    ("MDAx", .opaqueToken, "a macaroon"), ("secret_", .apiKey, "an API key"),
    ("lin_api_", .apiKey, "an API key"),
    ("AQ", .opaqueToken, "an opaque token"), ("Fe26.2*", .cookie, "a sealed session cookie"),
    ("s:", .cookie, "a signed session cookie"),
    ("CfDJ8", .cookie, "a value that ASP.NET Core sealed (Data Protection)"),
    ("gAAAAA", .opaqueToken, "a Fernet token"),
    ("En0K", .opaqueToken, "a Biscuit token"), ("Eo0B", .opaqueToken, "a Biscuit token"),
    ("En4K", .opaqueToken, "a Biscuit token"), ("EoAB", .opaqueToken, "a Biscuit token"),
    ("YII", .ticket, "a ticket of Kerberos (SPNEGO)"),
    ("TlRMTVNTUA", .ticket, "a message of NTLM"),
    ("rO0AB", .opaqueToken, "a serialized object of Java"),
    ("/wEP", .opaqueToken, "a view state of ASP.NET"),
    ("0oRD", .cborToken, "a message of CBOR (COSE, CWT)"),
    ("2D3S", .cborToken, "a CBOR Web Token (CWT)"),
    ("HC1:", .cborToken, "a health certificate (HC1), which is a CBOR Web Token"),
    ("$2a$", .passwordHash, "the hash of a password (bcrypt)"),
    ("$2b$", .passwordHash, "the hash of a password (bcrypt)"),
    ("$2y$", .passwordHash, "the hash of a password (bcrypt)"),
    ("$argon2", .passwordHash, "the hash of a password (Argon2)"),
    ("$scrypt$", .passwordHash, "the hash of a password (scrypt)"),
    ("$6$", .passwordHash, "the hash of a password (crypt, SHA-512)"),
    ("$5$", .passwordHash, "the hash of a password (crypt, SHA-256)"),
    ("$1$", .passwordHash, "the hash of a password (crypt, MD5)"),
    ("$y$", .passwordHash, "the hash of a password (yescrypt)"),
    ("pbkdf2_", .passwordHash, "the hash of a password (PBKDF2)"),
    ("pbkdf2:", .passwordHash, "the hash of a password (PBKDF2)"),
    ("{SSHA", .passwordHash, "the hash of a password (SSHA)"),
    ("{SHA", .passwordHash, "the hash of a password (SHA)"),
    ("ST-", .opaqueToken, "a ticket of CAS"), ("TGT-", .opaqueToken, "a ticket of CAS"),
    ("PT-", .opaqueToken, "a ticket of CAS"), ("PGT", .opaqueToken, "a ticket of CAS"),
    ("T1RL", .opaqueToken, "an OpenToken of PingFederate"),
    ("whsec_", .apiKey, "the secret of a webhook"), ("rk_live_", .apiKey, "a key of Stripe"),
    ("AGE-SECRET-KEY-", .apiKey, "a secret key of age"),
    ("hf_", .apiKey, "a token of Hugging Face"), ("shpat_", .apiKey, "a token of Shopify"),
    ("PMAK-", .apiKey, "an API key of Postman"), ("sq0", .apiKey, "a key of Square"),
    ("NRAK-", .apiKey, "an API key of New Relic"),
    ("glsa_", .apiKey, "a token of Grafana"), ("ATATT", .apiKey, "an API token of Atlassian"),
    ("xkeysib-", .apiKey, "an API key of Brevo"), ("tskey-", .apiKey, "a key of Tailscale"),
    ("FwoG", .opaqueToken, "a session token of AWS"),
    ("IQoJ", .opaqueToken, "a session token of AWS"),
  ]

  /// A PASETO, by its version and purpose.
  private static func paseto(_ sample: TextSample) -> RecognisedText? {
    let parts = sample.text.split(separator: ".", omittingEmptySubsequences: false).prefix(3)
    guard parts.count == 3, ["v1", "v2", "v3", "v4"].contains(String(parts[0])),
      ["public", "local"].contains(String(parts[1]))
    else { return nil }
    let name = "a PASETO (\(parts[0]).\(parts[1]))"
    var text = RecognisedText(.opaqueToken, detail: name, name: name)
    text.remark =
      parts[1] == "public"
      ? "a PASETO of the purpose public is signed and can be read, and is no format of this tool: a "
        + "PASETO library verifies it, or have a JSON Web Token issued"
      : "a PASETO of the purpose local is encrypted, and whoever has its key alone can read it: have a JSON "
        + "Web Token issued"
    return text
  }

  private static func prefixed(_ sample: TextSample) -> RecognisedText? {
    if let token = paseto(sample) { return token }
    for (prefix, kind, owner) in prefixes where sample.begins(prefix) {
      guard sample.octets.count >= 16, kind != .ticket || sample.isBase64 else { continue }
      return RecognisedText(kind, detail: owner, name: owner)
    }
    return nil
  }

  private static func isUUID(_ lower: String) -> Bool {
    let text = lower.filter { !"{}".contains($0) }
    let name = text.hasPrefix("urn:uuid:") ? text.dropFirst(9) : text[...]
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && parts.allSatisfy { $0.utf8.allSatisfy(Hex.isDigit) }
  }

  private static func isPath(_ sample: TextSample) -> Bool {
    guard sample.octets.count <= 256 else { return false }
    let ends = [
      ".pem", ".crt", ".cer", ".key", ".der", ".json", ".xml", ".txt", ".jwt", ".p12", ".pfx",
      ".jks",
      ".yaml", ".yml",
    ]
    return ends.contains { sample.lower.hasSuffix($0) }
  }

  /// Printable characters with letters, without a structure of their own.
  private static func opaque(_ sample: TextSample) -> RecognisedText? {
    let octets = sample.octets
    guard octets.count >= 12,
      octets.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      !octets.contains(ASCII.ampersand), !octets.contains(ASCII.lessThan),
      !octets.contains(where: { "(){}[]\"'`$@!?#;,".utf8.contains($0) })
    else { return nil }
    // What begins as a JSON Web Token or as XML is one that is broken.
    guard !sample.begins("ey"), !sample.begins("PHN"), !sample.begins("PD94"),
      !sample.begins("PFJ"), !sample.begins("PEF"), !sample.begins("PHR"), !sample.begins("PHdz")
    else { return nil }
    if let equals = octets.firstIndex(of: ASCII.equals),
      !octets[equals...].allSatisfy({ $0 == ASCII.equals })
    {
      return nil
    }
    guard octets.contains(where: { ASCII.isLetter($0) || ASCII.isDigit($0) }),
      !octets.contains(ASCII.percent)
    else { return nil }
    if isBase32(octets) {
      return RecognisedText(
        .credentials, name: "a word in base32, as secrets of one-time passwords (TOTP) are written")
    }
    let size = TextSample.decoded(octets)?.count
    let isHashLong = size.map { [20, 32, 48, 64].contains($0) } ?? false
    return RecognisedText(
      .opaqueToken,
      name: size.flatMap {
        isHashLong
          ? "an opaque token, which has as many bytes (\($0)) as a thumbprint or a secret" : nil
      })
  }

  /// RFC 4648, 6: capital letters and the digits 2 to 7.
  private static func isBase32(_ octets: ArraySlice<UInt8>) -> Bool {
    let digits = octets.prefix { $0 != ASCII.equals }
    return digits.count >= 16 && digits.count <= 128 && digits.count % 8 != 1
      && digits.contains { (0x32...0x37).contains($0) }
      && digits.allSatisfy { (0x41...0x5A).contains($0) || (0x32...0x37).contains($0) }
  }
}
