import Octets

/// Keys and certificates as text.
enum KeyText {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    if let pem = pem(sample) { return pem }
    for name in ["ssh-rsa ", "ssh-ed25519 ", "ssh-dss ", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"]
    where sample.begins(name) {
      return sshPublicKey(isEd25519: name == "ssh-ed25519 " || name == "sk-ssh-")
    }
    // With options before it (authorized_keys) or the name of a host (known_hosts).
    let line = sample.lines.first ?? ""
    for name in [" ssh-rsa AAAA", " ssh-ed25519 AAAA", " ecdsa-sha2-", " ssh-dss AAAA"]
    where line.utf8.count < 4_096 && line.contains(name) {
      return isHost(line) ? hostKeys(sample) : sshPublicKey(isEd25519: name.hasPrefix(" ssh-ed"))
    }
    if sample.begins("untrusted comment:") {
      return RecognisedText(.pgp, name: "a key or signature of minisign or signify")
    }
    if sample.begins("---- BEGIN SSH2 PUBLIC KEY") {
      return sample.has("AAAAC3NzaC1lZDI1NTE5")
        ? sshPublicKey(isEd25519: true) : RecognisedText(.sshPublicKey, detail: "RFC 4716")
    }
    if sample.octets.count < 8_192, sample.has("v=DKIM1") { return RecognisedText(.mailKey) }
    if sample.begins("Modulus=") { return RecognisedText(.keyText) }
    for mark in ["$ANSIBLE_VAULT", "age-encryption.org/", "sops:", "ENC["] where sample.begins(mark)
    {
      return RecognisedText(
        .privateText,
        name: mark == "$ANSIBLE_VAULT"
          ? "a file that Ansible Vault encrypted" : "a file that age or SOPS encrypted")
    }
    if sample.begins("PuTTY-User-Key-File") { return RecognisedText(.puttyPrivateKey) }
    return fingerprint(sample) ?? hexadecimal(sample) ?? bareBase64(sample)
  }

  /// Whether a line of a key begins with the name of a host, its address or their hash, and not with options.
  private static func isHost(_ line: Substring) -> Bool {
    let word = line.prefix { $0 != " " }
    return word.hasPrefix("|1|")
      || !word.contains("=") && (word.hasPrefix("[") || word.contains("."))
  }

  private static func hostKeys(_ sample: TextSample) -> RecognisedText {
    let count = sample.lines.count { $0.contains(" AAAA") }
    return RecognisedText(
      .sshPublicKey, detail: "known_hosts",
      name: "\(count == 1 ? "a host key" : "\(count) host keys") of SSH servers (known_hosts)")
  }

  private static func sshPublicKey(isEd25519: Bool) -> RecognisedText {
    isEd25519
      ? RecognisedText(
        .sshPublicKey, detail: "Ed25519", name: "an Ed25519 public key of OpenSSH")
      : RecognisedText(.sshPublicKey)
  }

  // MARK: PEM

  private static func pem(_ sample: TextSample) -> RecognisedText? {
    guard let begin = sample.text.firstRange(of: "-----BEGIN ") else { return damagedLines(sample) }
    if isKubernetes(sample) { return nil }
    if MailText.recognise(sample) != nil, !sample.begins("-----BEGIN"),
      !sample.has("\n-----BEGIN ")
    {
      return nil
    }
    if sample.has("=3D\n") || sample.has("=3D=\n") { return RecognisedText(.quotedPrintable) }
    let rest = sample.text[begin.upperBound...]
    let label = String(rest.prefix { $0 != "-" && !$0.isNewline })
    guard let kind = kind(label: label, sample) else {
      return RecognisedText(
        .pemOfAnotherKind, name: "PEM with the label \(TokenError.excerpt(label))")
    }
    // A token or metadata that a tool put between such lines.
    if let inside = inside(sample), kind == .certificate { return inside }
    var text = RecognisedText(
      kind, form: form(sample, begin, label), name: name(kind, label, sample))
    if text.form == .prefixed { text.detail = sign(before: begin.lowerBound, sample) }
    if kind == .opensshPrivateKey, isEd25519(sample) {
      text.detail = "Ed25519"
      text.name = "an Ed25519 private key of OpenSSH"
    }
    if text.form == .plain, kind == .certificate, count(sample) > 1 {
      text = RecognisedText(.certificates, name: "\(count(sample)) certificates")
    }
    return text
  }

  /// PEM whose hyphens a word processor joined to dashes, or whose letters became small.
  private static func damagedLines(_ sample: TextSample) -> RecognisedText? {
    let start = sample.text.drop { "-\u{2013}\u{2014}\u{2010}\u{2011}\u{2212} ".contains($0) }
    guard start.startIndex != sample.text.startIndex else { return nil }
    let line = start.prefix { !$0.isNewline }.lowercased()
    guard line.hasPrefix("begin ") else { return nil }
    let label = String(line.dropFirst(6).prefix { $0.isLetter || $0 == " " || $0.isNumber })
    guard let kind = kind(label: label.uppercased(), sample) else { return nil }
    return RecognisedText(kind, form: .damagedLines)
  }

  /// Whether the key between the lines, of which the public half is readable with a passphrase too, is one of Ed25519.
  private static func isEd25519(_ sample: TextSample) -> Bool {
    let content = body(sample).flatMap(TextSample.decoded) ?? []
    return content[...].firstRange(ofBytes: "ssh-ed25519") != nil
  }

  private static func name(_ kind: TextKind, _ label: String, _ sample: TextSample) -> String? {
    // Labels are what people see in the file.
    label.isEmpty ? nil : "\(kind.rawValue) (\(label))"
  }

  private static func count(_ sample: TextSample) -> Int {
    sample.text.ranges(of: "-----BEGIN CERTIFICATE-----").count
  }

  private static func kind(label: String, _ sample: TextSample) -> TextKind? {
    switch label {
    case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE":
      sample.has("PRIVATE KEY-----") ? .privateKey : .certificate
    case "PUBLIC KEY":
      DERShape.kind((body(sample).flatMap(TextSample.decoded) ?? [])[...]) == .postQuantumKey
        ? .postQuantumKey : .publicKey
    case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY":
      sample.has("Proc-Type: 4,ENCRYPTED") ? .encryptedPrivateKey : .privateKey
    case "ENCRYPTED PRIVATE KEY": .encryptedPrivateKey
    case "OPENSSH PRIVATE KEY": .opensshPrivateKey
    case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": .certificateRequest
    case "X509 CRL": .revocationList
    case "RSA PUBLIC KEY": .rsaPublicKey
    case "PKCS7", "CMS": .pkcs7
    case "EC PARAMETERS", "DH PARAMETERS", "X9.42 DH PARAMETERS":
      sample.has("PRIVATE KEY-----") ? .privateKey : .keyParameters
    default: label.hasPrefix("PGP") ? .pgp : (label.hasPrefix("SSH2") ? .sshPublicKey : nil)
    }
  }

  /// The text between BEGIN and END.
  private static func body(_ sample: TextSample) -> ArraySlice<UInt8>? {
    guard let begin = sample.octets.firstRange(ofBytes: "-----BEGIN ") else { return nil }
    let behind = sample.octets[begin.upperBound...]
    guard let start = behind.firstRange(ofBytes: "-----")?.upperBound else { return nil }
    let end = behind[start...].firstRange(ofBytes: "-----END")?.lowerBound ?? behind.endIndex
    return behind[start..<end]
  }

  private static func form(
    _ sample: TextSample, _ begin: Range<String.Index>, _ label: String
  ) -> TextForm {
    let text = sample.text
    if text[begin.upperBound...].contains("\\n") { return .escapedLines }
    let line =
      text[..<begin.lowerBound].split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline
      ).last ?? ""
    if line.isEmpty, sample.isIndented { return .indented }
    guard let end = text.firstRange(of: "-----END ") else { return .withoutEnd }
    let between = text[begin.upperBound..<end.lowerBound]
    guard between.contains(where: \.isNewline) else { return .oneLine }
    if line.isEmpty {
      let body = between.split(whereSeparator: \.isNewline).dropFirst()
      return body.contains { $0.first == " " || $0.first == "\t" } ? .indented : .plain
    }
    return line.allSatisfy { $0 == " " || $0 == "\t" } ? .indented : .prefixed
  }

  /// The signs before the BEGIN line on its line, where no letter is among them.
  private static func sign(before begin: String.Index, _ sample: TextSample) -> String? {
    let line =
      sample.text[..<begin].split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline
      ).last ?? ""
    let sign = line.filter { $0 != " " && $0 != "\t" }
    return !sign.isEmpty && sign.utf8.count <= 4
      && sign.utf8.allSatisfy({ "\"'>#+*/|;,-`".utf8.contains($0) }) ? String(sign) : nil
  }

  /// What else stands between the lines, where it is no DER.
  private static func inside(_ sample: TextSample) -> RecognisedText? {
    guard let body = body(sample), let content = TextSample.decoded(body), content.first != 0x30
    else { return nil }
    if TokenShape(content[...]) != nil || content.first == ASCII.lessThan {
      return RecognisedText(.pemAroundToken)
    }
    return nil
  }

  /// Whether the text is YAML of Kubernetes, in which PEM may stand too.
  static func isKubernetes(_ sample: TextSample) -> Bool {
    sample.lines.contains { $0.hasPrefix("apiVersion:") }
      && sample.lines.contains { $0.hasPrefix("kind:") }
  }

  // MARK: Fingerprints and base64

  /// 20, 32 or 64 octets in hexadecimal digits, with a name of an algorithm before them or without.
  private static func fingerprint(_ sample: TextSample) -> RecognisedText? {
    guard sample.octets.count < 400 else { return nil }
    var text = sample.lower[...]
    if let equals = text.lastIndex(of: "=") {
      let name = text[..<equals]
      guard name.contains("fingerprint") || name.contains("thumbprint") else { return nil }
      text = text[text.index(after: equals)...]
    } else if let mark = text.firstRange(of: "sha256:") ?? text.firstRange(of: "sha1:")
      ?? text.firstRange(of: "sha-256:") ?? text.firstRange(of: "thumbprint:")
      ?? text.firstRange(of: "fingerprint:")
    {
      text = text[mark.upperBound...]
    }
    if sample.words.contains("TLSA") || sample.words.contains("SSHFP") {
      return RecognisedText(.fingerprint, name: "a DNS record with a fingerprint (TLSA, SSHFP)")
    }
    // What `ssh-keygen -l` prints: a length, a hash, a comment and a type.
    let words = sample.words
    if words.count >= 3, words[0].allSatisfy(\.isNumber),
      ["SHA256:", "MD5:", "SHA1:"].contains(where: { words[1].hasPrefix($0) })
    {
      return RecognisedText(
        .fingerprint, name: "the fingerprint of a key of OpenSSH (ssh-keygen -l)")
    }
    let digits = text.utf8.filter { !ASCII.isWhiteSpace($0) && $0 != UInt8(ascii: ":") }
    if digits.allSatisfy(Hex.isDigit), [32, 40, 64, 96, 128].contains(digits.count) {
      return sample.words.count == 1 && sample.octets.count == digits.count
        ? RecognisedText(
          .fingerprint,
          name: "\(digits.count / 2) bytes in hexadecimal digits: a fingerprint or another hash")
        : RecognisedText(.fingerprint)
    }
    // OpenSSH's and pins' form: base64 of SHA-256.
    let isPin =
      sample.beginsLowercased("sha256:") || sample.beginsLowercased("sha256/")
      || sample.beginsLowercased("pin-sha256")
    return isPin ? RecognisedText(.fingerprint) : nil
  }

  /// DER in hexadecimal digits.
  private static func hexadecimal(_ sample: TextSample) -> RecognisedText? {
    if sample.begins("30"), let octets = ContentEncoding.hexadecimal(sample.octets) {
      return DERShape.kind(octets[...]).map { RecognisedText($0, form: .hexadecimal) }
    }
    guard let octets = ContentEncoding.hexadecimalInSource(sample.octets) else { return nil }
    let isArray = sample.has("0x30")
    return DERShape.kind(octets[...]).map {
      RecognisedText($0, form: isArray ? .sourceArray : .hexadecimal)
    }
  }

  /// Base64 of DER, of PEM or of a document of keys.
  private static func bareBase64(_ sample: TextSample) -> RecognisedText? {
    guard sample.isBase64, let content = sample.decoded else { return nil }
    // The digit 0 is a SEQUENCE of DER too.
    if !ContentEncoding.isText(Array(content.prefix(16))), let kind = DERShape.kind(content[...]) {
      return RecognisedText(kind, form: .bareBase64)
    }
    guard ContentEncoding.isText(content) else { return nil }
    let inner = TextSample(content)
    if let pem = pem(inner) {
      return RecognisedText(pem.kind, form: .base64OfText, name: pem.shown)
    }
    if inner.first == ASCII.lessThan, let markup = MarkupText.recognise(inner),
      [.metadata, .keyValue, .certificateInXML, .wsdl].contains(markup.kind)
    {
      return RecognisedText(markup.kind, form: .base64OfText, name: markup.name)
    }
    if inner.first == UInt8(ascii: "{"), let json = JSONText.recognise(inner),
      ![.json, .jsonMember, .tokenHeader, .userInfo].contains(json.kind)
    {
      return RecognisedText(json.kind, form: .base64OfText, detail: json.detail, name: json.name)
    }
    return nil
  }
}

/// A text in quotation marks.
enum QuotedText {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    guard let first = sample.text.first else { return nil }
    if sample.begins("```") { return RecognisedText(.codeBlock) }
    if sample.begins("> "), ContentEncoding.withoutQuotation(sample.octets) != nil {
      return RecognisedText(.mailQuotation)
    }
    if ["b'", "b\"", "B'", "rb'"].contains(where: { sample.begins($0) }),
      sample.text.hasSuffix("'") || sample.text.hasSuffix("\"")
    {
      return RecognisedText(.quoted, detail: "b", name: "bytes as Python prints them (b'...')")
    }
    let marks = ["\u{201C}", "\u{201D}", "\u{2018}", "\u{2019}", "\u{201E}", "\u{AB}"]
    if marks.contains(where: { sample.text.hasPrefix($0) || sample.text.hasSuffix($0) }) {
      return RecognisedText(.quoted, name: "typographic quotation marks around the text")
    }
    guard "\"'`".contains(first) else { return nil }
    if first == "\"", (try? JSONParser.parse(Array(sample.octets)))?.string != nil,
      sample.has("\\")
    {
      return RecognisedText(.jsonString)
    }
    return RecognisedText(.quoted)
  }
}
