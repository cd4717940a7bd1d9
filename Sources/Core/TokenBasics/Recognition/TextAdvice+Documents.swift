extension TextAdvice {
  /// The kinds that are documents and words of other programs: one row each.
  static let documentRows: [TextKind: AdviceRow] = [
    .otherDocument: AdviceRow(
      "this is a document of another program, which holds nothing of the kind"),
    .signInRequest: AdviceRow(
      "this is a request, which only begins a sign-in",
      token: """
        this is a request, which an application sends: the token is in what comes back to the \
        application; pass that
        """),
    .principal: AdviceRow(
      "this only names a person, a program or a key",
      token: "this only names a person, a program or a key, and proves nothing; pass a token here"),
    .markupInside: AdviceRow(
      """
      other text stands before the XML: save what begins with < alone (in a browser: Save as, or \
      view the source and copy all)
      """),
    .ticket: AdviceRow(
      "this signs a person in on a network (Kerberos, NTLM), and is for one server alone"),
    .passwordHash: AdviceRow(
      "this is the hash of a password, which only the program that stores it can compare",
      token: """
        this is the hash of a password, which only the program that stores it can compare; pass a \
        token here
        """),
    .otherFields: AdviceRow(
      "these are fields of a form or address, and none of them holds anything of the kind",
      token: """
        none of the fields holds a token: it is in SAMLResponse, wresult, id_token or \
        access_token; pass a token here
        """),
    .byteArray: AdviceRow(
      "these are bytes that are written as numbers: write them as bytes into a file, and name it",
      token: "the bytes are written as numbers: write them as the text that they stand for",
      key: """
        the bytes are written as numbers: write them as bytes into a file (python3 -c 'import re, \
        sys; sys.stdout.buffer.write(bytes(int(n, 0) for n in re.findall(r"0x[0-9a-fA-F]+|\\d+", \
        sys.stdin.read())))'), and name that file
        """),
    .shownEnds: AdviceRow(
      "cat -A wrote $ at the end of each line: name the original file, or take the marks out",
      token: "cat -A or cat -e wrote $ at the end of each line: take it out",
      key: """
        cat -A or cat -e wrote $ at the end of each line: name the original file, or take the \
        marks out (sed 's/\\^M//; s/\\$$//; s/\\^I/\\t/g')
        """,
      privateKey: "cat -A or cat -e wrote $ at the end of each line: name the original file"),
    .jsonLines: AdviceRow(
      "these are lines of JSON, and no member of them holds anything of the kind"),
    .cborToken: AdviceRow(
      "this is CBOR (COSE, CWT, mdoc), which is not read here",
      token: """
        this is CBOR (COSE, CWT, mdoc), which is not read here: ask for a JSON Web Token or an \
        SD-JWT; pass a token here
        """),
    .surrogate: AdviceRow("this file only names another one: get that file"),
    .mailKey: AdviceRow(
      "this is the key that signs the mails of a domain (DKIM), and signs no tokens"),
    .privateKeyText: AdviceRow(
      """
      these are the numbers of a private key: keep them secret, and replace the key where others \
      saw them
      """,
      key: """
        these are the numbers of a private key, which belongs to the issuer alone: keep them \
        secret, and name the certificate of the issuer or its public key (openssl pkey -in KEY \
        -pubout -out FILE)
        """,
      privateKey: """
        these are the numbers of a private key, and not the key: keep them secret, and write the \
        key in PEM (openssl pkey -in KEY -out FILE, without -noout and -text)
        """),
    .propertyList: AdviceRow(
      "this is a listing of a terminal, which describes a thing and does not hold it",
      key: """
        this is a listing of a terminal, and the certificate itself is missing: export it to a \
        file (PowerShell: Export-Certificate -Cert CERT -FilePath FILE), and name that file
        """,
      metadata: """
        this is a listing of a terminal, which describes a certificate and has no metadata: fetch \
        the federation metadata of the same server (AD FS: \
        /FederationMetadata/2007-06/FederationMetadata.xml), and name that file
        """),
    .privateText: AdviceRow("this is encrypted for another program: decrypt it first"),
  ]
}
