/// The advice of one kind, place by place.
struct AdviceRow: Sendable {
  /// What the text is or lacks, for the places without advice of their own: what to name instead follows it.
  let remark: String
  var token: String?
  var key: String?
  var privateKey: String?
  var metadata: String?
  var trustFile: String?

  init(
    _ remark: String, token: String? = nil, key: String? = nil, privateKey: String? = nil,
    metadata: String? = nil, trustFile: String? = nil
  ) {
    self.remark = remark
    self.token = token
    self.key = key
    self.privateKey = privateKey
    self.metadata = metadata
    self.trustFile = trustFile
  }

  /// What to do about the text at a place.
  func hint(at place: TextPlace) -> String {
    let own: String? =
      switch place {
      case .token, .line: token
      case .key, .keySet: key
      case .privateKey: privateKey
      case .metadata: metadata
      case .trustFile: trustFile
      case .secret: nil
      }
    return own ?? "\(remark); \(place.remedy)"
  }
}

extension TextAdvice {
  /// Where tokens stand in a text of another kind.
  static func inside(_ places: [String]) -> String {
    guard places.count > 1 else {
      return "pass the token alone: it stands in \(places.first ?? "the text")"
    }
    let shown = places.prefix(4).joined(separator: ", ")
    return "pass one of its tokens alone: they stand in \(shown)"
      + (places.count > 4 ? " and other places" : "")
  }

  /// The kinds that are files or texts around something else: one row each.
  static let rows: [TextKind: AdviceRow] = [
    .mail: AdviceRow(
      "this is a mail",
      token: """
        save the text of the mail or its attachment from the mail program, and pass the token in \
        it
        """,
      key: """
        save the attachment of the mail, or copy the lines from BEGIN to END out of it, and name \
        that file
        """,
      privateKey: """
        save the attachment of the mail and name that file; a private key that was mailed has to \
        be replaced
        """,
      metadata: "save the attachment of the mail, and name that file",
      trustFile: "save the attachment of the mail, and name that file"),
    .kubeconfig: AdviceRow(
      "this is a kubeconfig, which is YAML",
      token: "take the token of a user in it: kubectl config view --raw",
      key: """
        this is a kubeconfig: take the value of certificate-authority-data out, decode its \
        base64 (base64 -d), and name that file, if its certificate is that of the issuer
        """,
      privateKey: """
        this is a kubeconfig: take the value of client-key-data out, decode its base64 (base64 \
        -d), and name that file
        """),
    .hexDump: AdviceRow(
      "this is a hex dump",
      token: """
        this is a hex dump: make octets of it (xxd -r FILE), or copy the packet as printable \
        text, and pass the token in it
        """,
      key: "this is a hex dump: make octets of it (xxd -r FILE KEY), and name that file",
      privateKey: "this is a hex dump: make octets of it (xxd -r FILE KEY), and name that file",
      metadata: "this is a hex dump: make octets of it (xxd -r FILE OUT), and name that file",
      trustFile: "this is a hex dump: make octets of it (xxd -r FILE OUT), and name that file"),
    .terminalText: AdviceRow(
      """
      a terminal's escape sequences are in the text: write it without colours (jq -M, \
      --color=never, NO_COLOR=1, cat in place of bat), or take them out
      """,
      token: """
        a terminal's escape sequences (colours, ESC [) are in the text: write it without colours \
        (jq -M, --color=never, NO_COLOR=1), or take them out
        """,
      key: """
        a terminal's escape sequences (colours, ESC [) are in the file: name the original file, \
        or write it without colours and line numbers (cat in place of bat)
        """,
      privateKey: """
        a terminal's escape sequences (colours, ESC [) are in the file: name the original file
        """),
    .numberedLines: AdviceRow(
      """
      an editor or viewer wrote a number before each line: name the original file, or take the \
      numbers out (sed 's/^[[:space:]]*[0-9]*[[:space:]:|]*//')
      """,
      token: "an editor or viewer wrote a number before each line: take the numbers out",
      key: """
        an editor or viewer wrote a number before each line: name the original file, or take the \
        numbers out (sed 's/^[[:space:]]*[0-9]*[[:space:]:|]*//')
        """,
      privateKey: "an editor or viewer wrote a number before each line: name the original file"),
    .certificateText: AdviceRow(
      "this shows what is in a certificate, and is not the certificate",
      key: """
        this shows what is in a certificate, and the certificate itself is missing: write it in \
        PEM (openssl x509 -in CERTIFICATE -out FILE, without -noout and -text), and name that \
        file; the certificate of a TLS server (s_client) is hardly the one that signs tokens
        """),
    .keyText: AdviceRow(
      "this shows the numbers of a key, and is not the key",
      key: """
        this shows the numbers of a key, and the key itself is missing: write it in PEM (openssl \
        pkey -in KEY -pubout -out FILE, without -noout and -text), and name that file
        """,
      privateKey: """
        this shows the numbers of a key, and the key itself is missing: write it in PEM (openssl \
        pkey -in KEY -out FILE, without -noout and -text)
        """),
    .keyStoreListing: AdviceRow(
      "this only lists what is in a key store",
      key: """
        this only lists what is in a key store: write the certificate in PEM (keytool \
        -exportcert -rfc -alias NAME -keystore FILE, or keytool -list -rfc), and name that file
        """,
      privateKey: """
        this only lists what is in a key store: take the key out (openssl pkcs12 -nocerts -nodes \
        -in FILE.p12)
        """),
    .ldif: AdviceRow(
      "this is an entry of a directory (LDIF)",
      key: """
        take the value behind :: of the attribute with the certificate (userCertificate), join \
        its lines, decode the base64 (base64 -d), and name that file
        """),
    .settingsFile: AdviceRow("this is a configuration file, which holds nothing of the kind"),
    .sourceText: AdviceRow("this is source text of a program, which holds nothing of the kind"),
    .diff: AdviceRow("this is a patch of a file, with a sign before each line"),
    .table: AdviceRow("this is a table, and no column of it holds anything of the kind"),
    .stackTrace: AdviceRow(
      "this is a stack trace: its message says what failed, and nothing of the kind is in it"),
    .errorMessage: AdviceRow(
      "this is an error message",
      token: """
        the sign-in or request failed before a token was issued: mend what the message says; \
        pass a token here
        """,
      key: """
        an error came in place of the key: mend what the message says, do it again, and name the \
        file that it gives; name the certificate or public key of the issuer here
        """,
      metadata: """
        an error came in place of the metadata: check the address that was asked; name the \
        issuer's metadata here
        """),
    .errorAnswer: AdviceRow(
      "the server answered an error, and not the file: check the address that was asked",
      token: """
        the server gave no token, because the request failed: mend what its members say, and ask \
        again; pass a token here
        """),
    .log: AdviceRow("these are lines of a log, and none of them holds anything of the kind"),
    .bareCommand: AdviceRow(
      "this is a command line, which holds nothing of the kind",
      token: "the command holds no token: run it, and pass the token that is answered",
      key: "the command holds no key: run it, save what it writes, and name that file",
      metadata: "the command holds no metadata: run it, save what it writes, and name that file"),
    .bareRequest: AdviceRow(
      "this is an HTTP request or answer, which holds nothing of the kind",
      token: """
        no field or header of the request holds a token: look for the request with SAMLResponse, \
        id_token or Authorization; pass a token here
        """),
    .samlRequest: AdviceRow(
      "this is a SAML request or message, and not what is meant here",
      token: """
        this is a request, which an application sends to the identity provider: the token is the \
        SAMLResponse that comes back; pass that
        """,
      key: """
        this is a request, which an application sends: it holds no key that is trusted; name the \
        certificate or public key of the issuer here
        """,
      metadata: """
        this is a SAML message and not metadata, which begins with EntityDescriptor: name the \
        issuer's metadata here
        """),
    .percentEncoded: AdviceRow(
      "the text is percent-encoded: decode it once, and name that file",
      token: "the text is percent-encoded: decode it once",
      key: "the text is percent-encoded: decode it once (%0A is a line end), and name that file",
      privateKey: "the text is percent-encoded: decode it once, and name that file",
      metadata: "the text is percent-encoded: decode it once, and name that file",
      trustFile: "the text is percent-encoded: decode it once, and name that file"),
    .packed: AdviceRow(
      "unpack the archive first, and take the file in it",
      key: "unpack the archive first, and name the file in it",
      privateKey: "unpack the archive first, and name the file in it",
      metadata: "unpack the archive first, and name the file in it",
      trustFile: "unpack the archive first, and name the file in it"),
    .picture: AdviceRow(
      "a picture only shows a text, and is none",
      token: "a picture only shows a token: ask for the token as text; pass a token here",
      key: """
        a picture only shows a key: ask for the certificate as a file; name the certificate or public \
        key of the issuer here
        """),
    .document: AdviceRow(
      "this is a document, and not a file of text: save what is in it as a file of its own",
      token: """
        this is a document, and not plain text: copy the token out of it as text; pass a token \
        here
        """,
      key: """
        this is a document, and not a key: save the attachment in it, or copy the lines from \
        BEGIN to END into a text file, and name that file
        """,
      metadata: "this is a document: save the XML in it as a text file, and name that file"),
    .networkCapture: AdviceRow(
      "this is a capture of packets",
      token: """
        open the capture (Wireshark, tshark), follow the HTTP stream, and copy the token as \
        printable text
        """),
  ]
}
