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
    .propertyList: AdviceRow(
      "this is a listing of a terminal, and shows nothing of the kind as it is stored",
      key: """
        this is a listing of a terminal, and the certificate itself is missing: export it to a \
        file (PowerShell: Export-Certificate -Cert CERT -FilePath FILE), and name that file
        """),
    .privateText: AdviceRow("this is encrypted for another program: decrypt it first"),
  ]
}
