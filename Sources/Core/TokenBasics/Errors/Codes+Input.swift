import Octets

extension TokenError.Code {
  /// A file cannot be read.
  public static let unreadableFile = Self(
    "input.file",
    "the file cannot be read",
    hint:
      "check the name of the file and who may read it; a relative path begins at the current folder, in "
      + "a trust file at the folder of that file; a token or a key itself is no operand: pass it on "
      + "standard input (-) or in a file")
  /// There is nothing to read.
  public static let emptyInput = Self(
    "input.empty",
    "there is nothing to read",
    hint:
      "pass one token as a file or on standard input, or tokens line by line")
  /// The token is larger than the limit.
  public static let inputTooLarge = Self(
    "input.too-large",
    "the token is larger than the limit",
    hint:
      "raise limits.bytes in the trust file if an issuer really sends tokens of this "
      + "size; 10 MiB is the ceiling")
  /// The first bytes fit no token format.
  public static let unrecognizedInput = Self(
    "input.unrecognized",
    "the first bytes fit no token format",
    hint:
      "pass the token as it travelled, and pin the format where the first bytes cannot tell")
  /// The token is not of the pinned format.
  public static let formatMismatch = Self(
    "input.format-mismatch",
    "the token is not of the pinned format",
    hint:
      "do not pin the format, or give the token to the endpoint that expects its format")
  /// This build does not read that token format.
  public static let unsupportedFormat = Self(
    "input.unsupported-format",
    "this build does not read that token format",
    hint:
      "see the README for the formats of this release")
  /// The base64 text is not canonical.
  public static let malformedBase64 = Self(
    "input.base64",
    "the base64 text is not canonical",
    hint:
      "pass the field as it was received: one alphabet, padding only at the end, no "
      + "stray characters")
  /// A percent sign is not followed by two hexadecimal digits.
  public static let malformedPercentEscape = Self(
    "input.percent-escape",
    "a percent sign is not followed by two hexadecimal digits",
    hint:
      "the text was cut or edited; pass it as it was received")
  /// The DEFLATE stream is malformed, cut short, or followed by other bytes.
  public static let malformedDeflate = Self(
    "input.deflate",
    "the DEFLATE stream is malformed, cut short, or followed by other bytes",
    hint:
      "the Redirect binding carries raw RFC 1951 data in base64 and nothing behind it")
  /// The DEFLATE stream inflates beyond the limit.
  public static let deflateTooLarge = Self(
    "input.deflate-too-large",
    "the DEFLATE stream inflates beyond the limit",
    hint:
      "no genuine message does this; raise limits.inflatedBytes only for an issuer "
      + "that you know")
  /// The text is not UTF-8.
  public static let notUTF8 = Self(
    "input.not-utf8",
    "the text is not UTF-8",
    hint:
      "the issuer must encode names and values as UTF-8")
  /// The text is not strict JSON (RFC 8259).
  public static let malformedJSON = Self(
    "input.json-syntax",
    "the text is not strict JSON (RFC 8259)",
    hint:
      "look at that place; trailing commas, comments and control characters are not JSON, and an "
      + "empty file is none")
  /// An object has the same name twice.
  public static let duplicateJSONName = Self(
    "input.json-duplicate-name",
    "an object has the same name twice",
    hint:
      "two readers would disagree about its value, so neither is used")
  /// The JSON is nested too deeply.
  public static let jsonTooDeep = Self(
    "input.json-too-deep",
    "the JSON is nested too deeply",
    hint:
      "no genuine message does this")
  /// A JSON object has more members than the limit.
  public static let tooManyJSONMembers = Self(
    "input.json-too-many-members",
    "a JSON object has more members than the limit",
    hint:
      "raise limits.jsonMembers in the trust file if an issuer really sends this")
  /// A JSON member is missing or of another type than the format prescribes.
  public static let jsonMember = Self(
    "input.json-member",
    "a JSON member is missing or of another type than the format prescribes",
    hint:
      "compare the message with the wire format that the node names")
  /// The line is blank.
  public static let blankLine = Self(
    "input.blank-line",
    "the line is blank",
    hint:
      "in input that is read line by line every line holds one token")
  /// The JSON line has no string member "token".
  public static let lineObject = Self(
    "input.line-object",
    "the JSON line has no one string member \"token\" or \"token64\"",
    hint:
      "write {\"id\": …, \"token\": \"…\"} or the bare token")
  /// A part between two & signs is not name=value.
  public static let malformedPair = Self(
    "input.swt-pair",
    "a part between two & signs is not name=value",
    hint:
      "the token was cut or joined; pass it as it was received")
  /// A Simple Web Token holds a byte outside printable ASCII, or decodes to a control character.
  public static let swtCharacter = Self(
    "input.swt-character",
    "a Simple Web Token holds a byte outside printable ASCII, or decodes to a control character",
    hint:
      "names and values travel form-encoded; quotes and line ends around the token "
      + "are not part of it")
  /// A name occurs twice.
  public static let duplicatePairName = Self(
    "input.swt-duplicate-name",
    "a name occurs twice",
    hint:
      "two readers would disagree about its value; the issuer must join several "
      + "values in one pair")
  /// A name is a reserved name in other letters.
  public static let reservedNameVariant = Self(
    "input.swt-reserved-name",
    "a name is a reserved name in other letters",
    hint:
      "Issuer, Audience, ExpiresOn and HMACSHA256 are case-sensitive; a look-alike is "
      + "refused")
  /// A Simple Web Token has more pairs than the limit.
  public static let tooManyPairs = Self(
    "input.swt-too-many-pairs",
    "a Simple Web Token has more pairs than the limit",
    hint:
      "no genuine token does this")
  /// A JSON Web Token does not have three parts.
  public static let jwsParts = Self(
    "input.jws-parts",
    "a JSON Web Token does not have three parts",
    hint:
      "pass the compact form, header.payload.signature, without Bearer or quotes")
  /// The parts of a JSON Web Token are padded.
  public static let jwsPadding = Self(
    "input.jws-padding",
    "the parts of the JSON Web Token end with padding (=), which RFC 7515, 2 leaves out",
    hint:
      "have the issuer leave it out; AWS's load balancer always pads: jws-padding among the "
      + "allowed algorithms, of the issuer alone in a trust file, lets such tokens in")
  /// The text is a form body or an address, and the token is the value of one of its fields.
  public static let formFields = Self(
    "input.form-fields",
    "the text is a form body or an address, and the token is the value of one of its fields",
    hint:
      "pass the value of that field alone, percent-decoded")
  /// The text is an HTTP header field, and the token is part of its value.
  public static let headerField = Self(
    "input.header-field",
    "the text is an HTTP header field or its value, and the token is part of it",
    hint:
      "pass the token alone, without Bearer and what else surrounds it")
  /// The text is JSON, and the token is the value of one of its members.
  public static let jsonMembers = Self(
    "input.json-members",
    "the text is JSON, and the token is the value of one of its members",
    hint:
      "pass the value of that member alone, without quotes")
  /// The token is inside a larger text.
  public static let surroundedToken = Self(
    "input.surrounded",
    "the token is inside a larger text, such as a command or a line of a log",
    hint:
      "pass the token alone, without what stands around it")
  /// The text is an HTML page.
  public static let htmlPage = Self(
    "input.html",
    "the text is an HTML page",
    hint:
      "a page for signing in, or about an error, came in place of what was asked for: check the "
      + "address and "
      + "whether it wants a sign-in first")
  /// The octets are compressed.
  public static let compressedInput = Self(
    "input.compressed",
    "the octets are compressed",
    hint:
      "decompress them first: gunzip, unzip, curl --compressed")
  /// The text is UTF-16.
  public static let utf16Input = Self(
    "input.utf-16",
    "the text is UTF-16, not UTF-8",
    hint:
      "convert it: iconv -f UTF-16 -t UTF-8; > in Windows PowerShell writes UTF-16, Set-Content "
      + "-Encoding "
      + "ascii does not")
  /// The text is a document of keys or configuration, not a token.
  public static let notAToken = Self(
    "input.not-a-token",
    "the text is of a kind that holds no token",
    hint:
      "pass the token; this belongs among the trusted keys, the trusted metadata or the trust files"
  )
  package static let input: [Self] = [
    .unreadableFile,
    .emptyInput,
    .inputTooLarge,
    .unrecognizedInput,
    .formatMismatch,
    .unsupportedFormat,
    .malformedBase64,
    .malformedPercentEscape,
    .malformedDeflate,
    .deflateTooLarge,
    .notUTF8,
    .malformedJSON,
    .duplicateJSONName,
    .jsonTooDeep,
    .tooManyJSONMembers,
    .jsonMember,
    .blankLine,
    .lineObject,
    .malformedPair,
    .swtCharacter,
    .duplicatePairName,
    .reservedNameVariant,
    .tooManyPairs,
    .jwsParts,
    .jwsPadding,
    .formFields,
    .headerField,
    .jsonMembers,
    .surroundedToken,
    .htmlPage,
    .compressedInput,
    .utf16Input,
    .notAToken,
  ]
}
