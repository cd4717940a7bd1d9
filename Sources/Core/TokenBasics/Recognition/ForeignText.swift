import Octets

/// Texts of other programs, told by how they begin or by the structure of their lines.
enum ForeignText {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    guard sample.octets.count > 8, sample.octets.contains(where: ASCII.isWhiteSpace),
      TokenShape(sample.octets) == nil
    else { return nil }
    return listing(sample) ?? beginning(sample) ?? stackTrace(sample) ?? packets(sample)
      ?? ini(sample) ?? table(sample) ?? properties(sample)
  }

  // MARK: Certificates and keys as text

  private static func listing(_ sample: TextSample) -> RecognisedText? {
    guard !sample.has("-----BEGIN ") else { return nil }
    if sample.has("Keystore type:") || sample.has("Your keystore contains")
      || sample.has("Alias name:") && sample.has("Entry type:")
      || sample.has("Certificate fingerprint") && sample.has("Owner:")
    {
      return RecognisedText(.keyStoreListing, name: "a listing of keytool, without certificates")
    }
    if sample.has("\"alg\""),
      ["\"iss\"", "\"sub\"", "HEADER", "eader"].contains(where: { sample.has($0) })
    {
      return RecognisedText(.tokenHeader, name: "a decoded token")
    }
    // `ToString` of a certificate in .NET, which PowerShell shows.
    if sample.has("[Subject]"), sample.has("[Issuer]"),
      sample.has("[Thumbprint]") || sample.has("[Serial Number]")
    {
      return RecognisedText(.propertyList, name: "a listing of a certificate (PowerShell)")
    }
    if sample.has("Bag Attributes") { return RecognisedText(.keyStoreListing) }
    let ofCertificate = [
      "Certificate:\n    Data:", "X.509 Certificate Information", "X509 Certificate:",
      "Certificate:\r\n    Data:", "Cert Hash(sha1)", "Certificate chain\n 0 s:",
      "X509v3 extensions:", "Signature Algorithm: sha",
    ]
    if ofCertificate.contains(where: { sample.has($0) }) {
      let isRequest = sample.has("Certificate Request:")
      return RecognisedText(
        .certificateText,
        name: isRequest ? "the text form of a request for a certificate" : nil)
    }
    if sample.has(":d=0 "), sample.has("hl="), sample.has("l=") {
      return RecognisedText(.certificateText, name: "a dump of ASN.1 (openssl asn1parse)")
    }
    if isSummary(sample) {
      return RecognisedText(
        .certificateText, name: "names and dates of a certificate, without the certificate itself")
    }
    if sample.begins("pub "), sample.has("\nuid") {
      return RecognisedText(.pgp, name: "a listing of keys of OpenPGP (gpg)")
    }
    if let key = keyNumbers(sample) { return key }
    if sample.begins("dn: ") || sample.begins("dn:: ") || sample.has("\ndn: ")
      || sample.has("\ndn:: ") || sample.has("# extended LDIF")
    {
      return RecognisedText(.ldif, name: sample.has("ertificate") ? "LDIF with a certificate" : nil)
    }
    return nil
  }

  /// What `openssl pkey -text` prints.
  private static func keyNumbers(_ sample: TextSample) -> RecognisedText? {
    if ["Private-Key: (", "Private-Key:\n", "privateExponent:", "prime1:", "\npriv:"].contains(
      where: {
        sample.has($0)
      })
    {
      return RecognisedText(.privateKeyText)
    }
    if ["Public-Key: (", "Public-Key:\n", "Modulus (", "Modulus="].contains(where: {
      sample.has($0)
    }
    ) {
      return RecognisedText(.keyText)
    }
    return nil
  }

  /// What `openssl x509 -noout -subject -issuer -dates -fingerprint` prints.
  private static func isSummary(_ sample: TextSample) -> Bool {
    let beginnings = [
      "subject=", "issuer=", "notbefore=", "notafter=", "serial=", "sha1 fingerprint=",
      "sha256 fingerprint=", "sha-256 fingerprint=",
    ]
    let lines = sample.lines.prefix(16).map { $0.lowercased() }
    return lines.count > 1
      && lines.allSatisfy { line in beginnings.contains { line.hasPrefix($0) } }
  }

  // MARK: Beginnings

  private static let beginnings: [(beginning: String, kind: TextKind, name: String)] = [
    ("diff --git ", .diff, TextKind.diff.rawValue), ("--- a/", .diff, TextKind.diff.rawValue),
    ("Index: ", .diff, TextKind.diff.rawValue), ("@@ -", .diff, TextKind.diff.rawValue),
    ("#!", .sourceText, "a script"), ("<?php", .sourceText, "source text of PHP"),
    ("<%", .sourceText, "a page with source text (ASP, JSP)"),
    ("import ", .sourceText, TextKind.sourceText.rawValue),
    ("from ", .sourceText, "source text of Python"),
    ("package ", .sourceText, TextKind.sourceText.rawValue),
    ("using ", .sourceText, "source text of C#"), ("#include", .sourceText, "source text of C"),
    ("const ", .sourceText, TextKind.sourceText.rawValue),
    ("let ", .sourceText, TextKind.sourceText.rawValue),
    ("var ", .sourceText, TextKind.sourceText.rawValue),
    ("module.exports", .sourceText, "source text of JavaScript"),
    ("exports.", .sourceText, "source text of JavaScript"),
    ("export ", .sourceText, "source text of JavaScript"),
    ("function ", .sourceText, TextKind.sourceText.rawValue),
    ("def ", .sourceText, "source text of Python"),
    ("public ", .sourceText, TextKind.sourceText.rawValue),
    ("SELECT ", .sourceText, "a statement of SQL"),
    ("INSERT ", .sourceText, "a statement of SQL"),
    ("UPDATE ", .sourceText, "a statement of SQL"),
    ("CREATE ", .sourceText, "a statement of SQL"),
    ("FROM ", .settingsFile, "a Dockerfile"), ("ARG ", .settingsFile, "a Dockerfile"),
    ("server {", .settingsFile, "a configuration file of nginx"),
    ("upstream ", .settingsFile, "a configuration file of nginx"),
    ("location ", .settingsFile, "a configuration file of nginx"),
    ("<VirtualHost", .settingsFile, "a configuration file of Apache"),
    ("<Location", .settingsFile, "a configuration file of Apache"),
    ("resource \"", .settingsFile, "a Terraform file"),
    ("provider \"", .settingsFile, "a Terraform file"),
    ("variable \"", .settingsFile, "a Terraform file"),
    ("terraform {", .settingsFile, "a Terraform file"),
    ("machine ", .settingsFile, "a file of names and passwords (.netrc)"),
    ("//registry.", .settingsFile, "a configuration file of npm (.npmrc)"),
    ("Windows Registry Editor", .settingsFile, "a registry file of Windows (.reg)"),
    ("# Netscape HTTP Cookie File", .table, "a file of cookies"),
    ("#Software: ", .log, "a log of a server of Microsoft (IIS)"),
    ("#Fields: ", .log, "a log in the extended format of W3C"),
    ("#Version: ", .log, "a log in the extended format of W3C"),
    ("BEGIN:VCARD", .settingsFile, "a business card (vCard)"),
    ("BEGIN:VCALENDAR", .settingsFile, "a calendar (iCalendar)"),
  ]

  private static func beginning(_ sample: TextSample) -> RecognisedText? {
    let uncommented = firstLine(sample)
    let row = beginnings.first { row in
      sample.begins(row.beginning) || uncommented.hasPrefix(row.beginning)
    }
    // A sentence may begin with such a word: source text has other signs too.
    let isSource = [
      " = ", "{", "();", "):", ";\n", "import ", "#!", " INTO ", " FROM ", "<", "#inc",
    ]
    .contains { sample.has($0) }
    guard let row, isSource || row.kind != .sourceText else { return nil }
    guard row.kind == .sourceText, MetadataSearch.isDescription(sample) else {
      return RecognisedText(row.kind, name: row.name)
    }
    var text = RecognisedText(
      row.kind, name: "\(row.name), which describes an identity provider for its own program")
    text.remark =
      "it holds metadata in the form of its program, which only that program reads: name the XML "
      + "metadata of the same issuer (--metadata), or save its certificate in PEM for --key"
    return text
  }

  /// The first line that is no comment.
  private static func firstLine(_ sample: TextSample) -> Substring {
    sample.lines.first { line in
      !line.hasPrefix("#") && !line.hasPrefix("//") && !line.hasPrefix("/*") && !line.hasPrefix("*")
    } ?? ""
  }

  // MARK: Lines

  private static func stackTrace(_ sample: TextSample) -> RecognisedText? {
    let isTrace =
      sample.has("Traceback (most recent call last)")
      || sample.has("\ngoroutine ") || sample.begins("Exception in thread")
      || sample.lines.count { $0.hasPrefix("at ") && ($0.contains("(") || $0.contains(":")) } >= 2
      || sample.has("\nCaused by: ")
    return isTrace ? RecognisedText(.stackTrace) : nil
  }

  /// Sections in brackets, and names with values below them.
  private static func ini(_ sample: TextSample) -> RecognisedText? {
    let lines = sample.lines.filter { !$0.hasPrefix("#") && !$0.hasPrefix(";") }
    let hasSection = zip(lines, lines.dropFirst()).contains { line, next in
      isSection(line) && isSetting(next)
    }
    let isBraced =
      lines.count > 2
      && lines.allSatisfy { line in
        line.hasSuffix(";") || line.hasSuffix("{") || line.hasSuffix("}")
      }
    if isBraced, !sample.has("("), !sample.has(" = ") {
      return RecognisedText(.settingsFile)
    }
    guard hasSection else { return nil }
    if sample.has("[Interface]"), sample.has("PrivateKey") {
      return RecognisedText(.credentials, name: "a configuration of WireGuard, with a private key")
    }
    let names = TextOutline.list(TextOutline.sections(sample))
    return RecognisedText(
      .settingsFile,
      name: "a configuration file (INI, TOML or systemd) with the sections \(names)")
  }

  private static func isSection(_ line: Substring) -> Bool {
    line.hasPrefix("[") && line.hasSuffix("]") && line.contains(where: \.isLetter)
      && line.utf8.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || "[]._-:/\" @\\".utf8.contains($0)
      }
  }

  /// A name with `=` or `:` and a value behind it, or another section.
  private static func isSetting(_ line: Substring) -> Bool {
    if isSection(line) { return true }
    guard let mark = line.firstIndex(where: { "=:".contains($0) }) else { return false }
    let name = line[..<mark]
    return !name.isEmpty && name.utf8.count <= 64
      && name.utf8.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || "_.-+/\" @".utf8.contains($0)
      }
  }

  /// Packets as tcpdump prints them.
  private static func packets(_ sample: TextSample) -> RecognisedText? {
    guard sample.has(" IP ") || sample.has(" IP6 "), sample.has(" Flags [") || sample.has(": UDP")
    else { return nil }
    return RecognisedText(.networkCapture, name: "packets as tcpdump prints them")
  }

  /// Names, colons and values below each other, as PowerShell and certutil print the properties of a thing.
  private static func properties(_ sample: TextSample) -> RecognisedText? {
    let lines = sample.lines.prefix(64)
    let names = lines.compactMap { line -> String? in
      let name = line.prefix { $0 != " " }
      guard line[name.endIndex...].drop(while: { $0 == " " }).hasPrefix(": ") else { return nil }
      return name.utf8.count <= 40 && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        ? String(name) : nil
    }
    guard names.count >= 2, names.count * 2 >= lines.count else { return nil }
    return RecognisedText(
      .propertyList, name: "a list of properties (PowerShell): \(TextOutline.list(names))")
  }

  static func table(_ sample: TextSample) -> RecognisedText? {
    let lines = sample.lines.prefix(20)
    guard lines.count >= 2, let first = lines.first else { return nil }
    if lines.allSatisfy({ $0.hasPrefix("|") && $0.hasSuffix("|") }) {
      return RecognisedText(.table, name: "a table (Markdown)")
    }
    if let rule = lines.dropFirst().first, rule.contains("--"),
      rule.utf8.allSatisfy({ "-+| =".utf8.contains($0) }),
      rule.contains(where: { "+| ".contains($0) }),
      !first.hasPrefix("-----")
    {
      return RecognisedText(.table, name: "a table of a terminal")
    }
    for (mark, name) in [(",", "CSV"), (";", "CSV"), ("\t", "TSV")] as [(Character, String)] {
      let count = first.count { $0 == mark }
      let isHeading = first.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "{") || $0 == 9 }
      let isLike = lines.allSatisfy { line in line.count { $0 == mark } >= count }
      if count >= 1, isHeading, isLike, first.split(separator: mark).count == count + 1,
        first.split(separator: mark).allSatisfy({ $0.split(separator: " ").count <= 2 }),
        !first.hasSuffix(String(mark)), !first.contains(": ")
      {
        var text = RecognisedText(.table, name: "a table (\(name))")
        text.tokens = columns(lines, first, mark)
        return text
      }
    }
    return nil
  }

  /// The places of the tokens in a table: the line, and the name of the column.
  private static func columns(
    _ lines: ArraySlice<Substring>, _ heading: Substring, _ mark: Character
  ) -> [String] {
    let names = heading.split(separator: mark, omittingEmptySubsequences: false)
    var places: [String] = []
    for (number, line) in lines.enumerated().dropFirst() {
      let values = line.split(separator: mark, omittingEmptySubsequences: false)
      for (name, value) in zip(names, values) {
        let value = Array(value.utf8).filter { !"\"' ".utf8.contains($0) }
        guard TokenShape(value[...]) != nil else { continue }
        let column = TokenError.excerpt(name.filter { $0 != "\"" }, length: 32)
        places.append("line \(number + 1), column \(column)")
      }
    }
    return places
  }
}
