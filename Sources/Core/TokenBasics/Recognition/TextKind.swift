/// What a text is, by its structure. The raw value names it for a person.
///
/// A kind only chooses the words of an error: every reader refuses the text without it too.
package enum TextKind: String, CaseIterable, Sendable {
  // Keys.
  case certificate = "a certificate"
  case certificates = "several certificates"
  case publicKey = "a public key"
  case rsaPublicKey = "an RSA public key of PKCS #1"
  case postQuantumKey = "a public key of ML-DSA"
  case sshPublicKey = "a public key of OpenSSH"
  case keyValue = "a key in XML (KeyValue)"
  case certificateInXML = "a certificate in XML (X509Certificate)"
  case privateKey = "a private key"
  case encryptedPrivateKey = "a private key with a passphrase"
  case opensshPrivateKey = "a private key of OpenSSH"
  case puttyPrivateKey = "a private key of PuTTY"
  case certificateRequest = "a request for a certificate"
  case revocationList = "a revocation list"
  case keyParameters = "parameters of keys, without a key"
  case pkcs7 = "PKCS #7"
  case pkcs12 = "PKCS #12"
  case javaKeyStore = "a Java key store"
  case pgp = "an OpenPGP text"
  case fingerprint = "the fingerprint of a certificate or key"
  case jwk = "a JWK"
  case privateJWK = "a private JWK"
  case secretJWK = "a JWK with a secret"
  case jwkSet = "a JWK set"
  case privateJWKSet = "a JWK set with private keys"
  case certificatesByIdentifier = "JSON with certificates by identifier"
  case keyArray = "an array of JWKs without the member keys"
  case serviceAccount = "a service account's file of Google, which has a private key"
  case pemOfAnotherKind = "PEM of another kind"
  case derOfAnotherKind = "DER of another kind, or cut short"
  case certificateText = "the text form of a certificate, without the certificate itself"
  case keyText = "the text form of a key, without the key itself"
  case privateKeyText = "the text form of a private key"
  case mailKey = "a DNS record with the key that signs mails (DKIM)"
  case keyStoreListing = "a listing of a key store, without its certificates"
  case ldif = "an LDIF file"
  case credentials = "credentials of another program"
  case passwordHash = "the hash of a password"

  // Documents of configuration.
  case metadata = "SAML metadata"
  case metadataInside = "a document with SAML metadata in it"
  case surrogate = "a file that only names another one"
  case trustFile = "a trust file"
  case serviceFile = "a configuration file of a gate or service"
  case discovery = "a discovery document of OpenID Connect"
  case resourceMetadata = "metadata of an OAuth resource"
  case kubernetes = "a Kubernetes document in YAML"
  case kubeconfig = "a configuration file of kubectl (kubeconfig)"
  case yaml = "YAML"
  case wsdl = "a WSDL document"
  case environment = "lines of settings (NAME=VALUE)"
  case settingsFile = "a configuration file"
  case address = "an address"
  case path = "the name of a file"
  case principal = "the name of a person, program or key"
  case otherDocument = "a document of another program"
  case privateText = "a text that is encrypted for another program"

  // Pages and answers without a token.
  case signInPage = "an HTML page for signing in"
  case errorPage = "an HTML page about an error"
  case page = "an HTML page"
  case errorAnswer = "an error of a server"
  case userInfo = "claims without a signature, as UserInfo answers them"
  case introspection = "an answer of token introspection, without a token"
  case tokenHeader = "the decoded header of a token"
  case soapFault = "a SOAP fault"
  case errorMessage = "an error message"
  case stackTrace = "a stack trace"
  case log = "a log without a token"
  case bareCommand = "a command line without a token"
  case bareRequest = "an HTTP request or answer without a token"
  case sourceText = "source text of a program"
  case diff = "a patch (diff)"
  case table = "a table"
  case propertyList = "a list of properties, as a terminal shows it"
  case mail = "a mail"
  case prose = "words without a token"
  case placeholder = "a placeholder, in which no token was put"
  case json = "JSON"
  case xml = "XML"

  // Tokens that no signature check can be made of.
  case opaqueToken = "an opaque token"
  case identifier = "an identifier (UUID)"
  case apiKey = "an API key"
  case refreshToken = "a refresh token"
  case samlRequest = "a SAML request, which an application sends"
  case signInRequest = "a request to sign in, which an application sends"
  case otherFields = "fields of a form without a token"
  case cborToken = "a message of CBOR (COSE, CWT)"
  case artifact = "a SAML artifact"
  case authorizationCode = "an authorization code"
  case ticket = "a ticket of Kerberos or a message of NTLM"
  case cookie = "a cookie"
  case cookiePieces = "a cookie in pieces"
  case basicCredentials = "a name and password (Basic)"
  case otherScheme = "an Authorization header of another scheme"

  // Texts around a token.
  case headerField = "a header field"
  case headerBlock = "an HTTP request or answer with its headers"
  case command = "a command line with a token in it"
  case formFields = "a form body or an address with fields"
  case formPage = "an HTML form with a token in it"
  case jsonMember = "JSON with a token in a member"
  case jsonLines = "lines of JSON, one object on each"
  case archive = "an HTTP archive (HAR)"
  case walletAnswer = "an answer of a wallet or of a credential issuer"
  case jsonSerialization = "the JSON serialization of a token"
  case logLine = "a line of a log"
  case textAroundToken = "text around a token"
  case dataAddress = "a data: address"
  case multipart = "a multipart form body"
  case markupInside = "XML with other text before it"
  case codeBlock = "a code block with lines of ```"
  case mailQuotation = "a quotation of a mail, with > before its lines"
  case quoted = "a text in quotation marks"
  case jsonString = "a string of JSON, with escapes"
  case cdata = "XML in a CDATA section"
  case escapedMarkup = "XML with its characters escaped for HTML"
  case percentEncodedTwice = "a text that is percent-encoded twice"
  case percentEncodedMarkup = "percent-encoded XML"
  case percentEncoded = "a percent-encoded text"
  case terminalText = "a text with escape sequences of a terminal (colours)"
  case numberedLines = "a text with a number before each line"
  case shownEnds = "a text with $ at the end of each line"
  case byteArray = "bytes that are written as numbers"
  case hexDump = "a hex dump"
  case quotedPrintable = "quoted-printable text of a mail"
  case hexadecimal = "hexadecimal digits of a token"
  case base64OfToken = "base64 of a JSON Web Token"
  case base64Twice = "base64 of base64"
  case pemAroundToken = "BEGIN and END lines around a token"
  case severalTokens = "several tokens"

  // Tokens that are not whole.
  case shortened = "a token that was shortened: something is missing in it"
  case masked = "a token with masked characters"
  case cut = "a token that was cut: its end is missing"
  case withoutBeginning = "a token whose beginning is missing"
  case lostPart = "a token with another number of parts"
  case changedCase = "a token in which capital and small letters were changed"
  case withoutSignature = "a token of two parts: the signature is missing or was cut off"
  case wrapped = "a token with line ends or spaces inside"
  case lostPlus = "base64 with spaces in place of +"
  case invisible = "a token with characters that cannot be seen"
  case typographic = "a token with typographic characters"

  // Encodings.
  case utf16 = "UTF-16"
  case gzip = "gzip data"
  case zlib = "a zlib stream"
  case zip = "a ZIP archive"
  case packed = "a packed archive"
  case picture = "a picture"
  case document = "a document of an office program"
  case networkCapture = "a capture of network packets"
  case binary = "binary data"
  case mergeConflict = "a file with the marks of a merge conflict"

  case token = "a token"
  case empty = "an empty text"
  case other = "a text of no known kind"

  /// Whether it is a page of a web site, with a token in it or without.
  package var isPage: Bool {
    switch self {
    case .page, .signInPage, .errorPage, .formPage: true
    default: false
    }
  }

  /// Whether the text holds a private key or a secret, which must not go where others see it.
  package var isPrivate: Bool {
    switch self {
    case .privateKey, .encryptedPrivateKey, .opensshPrivateKey, .puttyPrivateKey, .privateJWK,
      .privateKeyText, .secretJWK, .privateJWKSet, .serviceAccount, .basicCredentials, .credentials:
      true
    default: false
    }
  }

  /// Whether something was only written around a text, or the text encoded: what is inside may be of any kind.
  package var isWrapper: Bool {
    switch self {
    case .quoted, .codeBlock, .mailQuotation, .jsonString, .escapedMarkup, .percentEncodedTwice,
      .percentEncodedMarkup, .hexadecimal, .base64Twice, .cdata:
      true
    default: false
    }
  }

  /// Whether a whole token stands inside, which ``TokenSearch`` may find.
  package var holdsToken: Bool {
    switch self {
    case .headerField, .headerBlock, .command, .formFields, .formPage, .jsonMember, .archive,
      .walletAnswer, .logLine, .textAroundToken, .dataAddress, .multipart,
      .codeBlock, .mailQuotation, .quoted, .jsonString, .escapedMarkup, .cdata, .cookiePieces,
      .percentEncodedTwice, .percentEncodedMarkup, .quotedPrintable, .base64OfToken, .base64Twice,
      .pemAroundToken, .hexadecimal, .severalTokens, .wrapped, .token:
      true
    default: false
    }
  }
}

/// How a text is written, apart from what it is.
package enum TextForm: Sendable, Hashable {
  case plain
  /// DER, not text.
  case der
  /// DER in hexadecimal digits.
  case hexadecimal
  /// Base64 of DER without BEGIN and END lines.
  case bareBase64
  /// PEM with nothing but spaces, or nothing at all, where line ends belong.
  case oneLine
  /// PEM whose line ends are written as `\n`.
  case escapedLines
  /// PEM with white space before its lines.
  case indented
  /// PEM with other text before BEGIN on its line.
  case prefixed
  /// PEM without its END line.
  case withoutEnd
  /// PEM whose BEGIN and END lines have other signs or letters than they must have.
  case damagedLines
  /// DER in hexadecimal digits, as source text has them.
  case sourceArray
  /// Base64 of a text.
  case base64OfText
}

/// What a text is, with what is known of it.
package struct RecognisedText: Sendable {
  package let kind: TextKind
  package var form = TextForm.plain
  /// The name of a field, header, member or service; never a value.
  package var detail: String?
  /// What the error calls it, where that says more than the kind.
  package var name: String
  /// The place of what is wrong, where one is known.
  package var node: String?
  /// What is to be known of the text, before what to name instead of it.
  package var remark: String?
  /// The names of the data in it, of which one may be meant.
  var members: [String] = []
  /// The settings in it that name an issuer or the address of its keys.
  var settings: [IssuerSetting] = []
  /// The certificate or key in base64 that stands in a document of another kind.
  var key: KeySearch.Found?
  /// Where whole tokens stand in a text that is otherwise of another kind.
  package var tokens: [String] = []

  package init(
    _ kind: TextKind, form: TextForm = .plain, detail: String? = nil, name: String? = nil,
    node: String? = nil
  ) {
    self.kind = kind
    self.form = form
    self.detail = detail
    self.name = name ?? kind.rawValue
    self.node = node
  }

  /// The kind with how it is written, for `found`.
  package var shown: String {
    if isAroundTokens {
      return "\(name) with \(tokens.count == 1 ? "a token" : "\(tokens.count) tokens") in it"
    }
    return shownForm
  }

  /// Whether tokens stand in it as they travel, so that one of them can be passed.
  package var isAroundTokens: Bool {
    guard !tokens.isEmpty else { return false }
    switch kind {
    case .jsonMember, .jsonLines, .terminalText, .numberedLines, .shownEnds, .percentEncoded:
      return false
    default: return !kind.isWrapper
    }
  }

  private var shownForm: String {
    switch form {
    case .plain, .der: name
    case .hexadecimal: "\(name) in hexadecimal digits"
    case .bareBase64: "\(name) as base64 without BEGIN and END lines"
    case .oneLine: "\(name) in PEM that is written on one line"
    case .escapedLines: "\(name) in PEM with line ends that are written as \\n"
    case .indented: "\(name) in PEM with white space before its lines"
    case .prefixed:
      if let detail {
        "\(name) in PEM with \(detail) before its lines"
      } else {
        "\(name) in PEM inside another text, with something before its BEGIN line"
      }
    case .withoutEnd: "\(name) in PEM without its END line"
    case .damagedLines: "\(name) in PEM with damaged BEGIN and END lines"
    case .sourceArray: "\(name) as an array of bytes in source text"
    case .base64OfText: "\(name) in base64"
    }
  }
}
