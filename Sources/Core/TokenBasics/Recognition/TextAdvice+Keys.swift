extension TextAdvice {
  // MARK: Keys that verify

  /// What to do about a text in place of a key or a JWK set.
  static func key(_ text: RecognisedText, _ place: TextPlace) -> String? {
    switch text.kind {
    case .privateKey, .privateJWK, .privateJWKSet, .puttyPrivateKey:
      return
        "this is a private key, which belongs to the issuer alone: keep it secret, and name its "
        + "certificate or public key (openssl pkey -in FILE -pubout)"
    case .encryptedPrivateKey, .opensshPrivateKey, .serviceAccount:
      return
        "this is a private key, which belongs to the issuer alone: keep it secret, and name its "
        + "certificate or public key"
    case .secretJWK:
      return "this is a secret: keep it secret, and name it as hmac-file:PATH, with its octets or "
        + "their base64"
    case .basicCredentials, .credentials:
      return "\(warning(text) ?? "this is a secret"); \(place.remedy)"
    default: break
    }
    if let usable = usableKey(text, place) { return usable }
    switch text.kind {
    case .metadata:
      return "it belongs to the trusted metadata and not to the keys, in a trust file as "
        + "{\"metadata\": PATH}"
    case .fingerprint:
      return "a fingerprint only identifies a certificate or key: name the certificate itself, and "
        + "compare its fingerprint (openssl x509 -in FILE -noout -fingerprint -sha256)"
    case .address:
      return
        "nothing is fetched here: save what the address gives to a file (curl -o FILE ADDRESS) and "
        + "name that, as jwks:FILE for a JWK set; or let a trust file name the address with "
        + "keysAt\(text.detail == "openID" ? " (openID: true for a discovery document)" : ""), and "
        + "claims trust fetch get its keys"
    case .path: return "this is the name of a file and not its content"
    case .json where text.detail != nil:
      return
        "a member of the JSON has a key or certificate: save its value as a file of its own (jq -r '"
        + "\(text.detail ?? "")' FILE\(text.form == .base64OfText ? " | base64 -d" : "") > KEY), and "
        + "name that file"
    case .environment, .yaml, .json, .xml, .wsdl: return "it holds no key; \(place.remedy)"
    default: break
    }
    if let encoded = encodedFile(text) { return encoded }
    if text.kind.holdsToken { return "this is a token or holds one; name the key of its issuer" }
    switch text.kind {
    case .revocationList, .keyParameters, .pgp:
      return "\(home(text) ?? "it holds no key"); \(place.remedy)"
    case .opaqueToken, .identifier, .apiKey:
      return "a word is no key; an identifier (kid) or thumbprint only names one: \(place.remedy)"
    default: return home(text) ?? "it holds no key; \(place.remedy)"
    }
  }

  /// A file that something was written around or encoded, and that holds no token.
  private static func encodedFile(_ text: RecognisedText) -> String? {
    guard text.kind.isWrapper, text.tokens.isEmpty else { return nil }
    return encodedToken(text).map { "\($0), and name that file" }
  }

  /// A key in a form that has to be changed first.
  private static func usableKey(_ text: RecognisedText, _ place: TextPlace) -> String? {
    switch text.kind {
    case .certificate, .publicKey, .postQuantumKey:
      if place == .keySet { return "name a PEM file by its path alone, without jwks:" }
      if let form = form(text) { return form }
      return text.kind == .postQuantumKey
        ? "name it in a JWK set (kty AKP), as jwks:PATH: PEM of ML-DSA is not read here" : nil
    case .certificates:
      return "name one of the certificates by itself: that of the issuer, which is the first of a "
        + "chain as a rule"
    case .rsaPublicKey: return "convert it: openssl rsa -RSAPublicKey_in -in FILE -pubout"
    case .sshPublicKey where text.detail == "known_hosts":
      return "these are keys of SSH servers, which sign no tokens; \(place.remedy)"
    case .sshPublicKey where text.detail == "Ed25519":
      return
        "OpenSSH does not write an Ed25519 key in PEM, and the key of a login is hardly that of an "
        + "issuer: name the certificate or public key of the issuer here"
    case .sshPublicKey where text.detail != nil:
      return "convert it: ssh-keygen -i -f FILE > KEY, then ssh-keygen -e -m PKCS8 -f KEY"
    case .sshPublicKey: return "convert it: ssh-keygen -e -m PKCS8 -f FILE"
    case .keyValue:
      return
        "a key in XML is not read: ask for the certificate or public key in PEM, or write it as "
        + "a JWK with n and e in base64url, as jwks:PATH"
    case .certificateInXML:
      return
        "put the text of X509Certificate between a line -----BEGIN CERTIFICATE----- and a line "
        + "-----END CERTIFICATE-----, and name that file"
    case .jwk, .jwkSet:
      if text.form == .base64OfText {
        return
          "this is base64 of a JWK set: decode it first (base64 -d FILE), and name that file as "
          + "jwks:PATH"
      }
      return place == .key
        ? "put jwks: before the path of a JWK set: jwks:PATH"
        : "check the set: its first error says what is wrong"
    case .pemAroundToken:
      return "what is between the BEGIN and END lines is no certificate: name the key of the issuer"
    default: return nil
    }
  }

  /// What to do about the form; nil for one that is read.
  private static func form(_ text: RecognisedText) -> String? {
    let label = label(text.kind)
    switch text.form {
    case .plain, .der: return nil
    case .bareBase64:
      return
        "put -----BEGIN \(label)----- in a line before it and -----END \(label)----- in a line "
        + "behind it"
    case .hexadecimal: return "make octets of the hexadecimal digits: xxd -r -p FILE"
    case .oneLine:
      return "write the BEGIN line, the base64 and the END line as three lines"
    case .escapedLines:
      return
        "write each \\n as a line end (printf '%b'), and take off what stands before -----BEGIN "
        + "and behind the last -----"
    case .indented:
      return
        "save the lines from -----BEGIN to -----END as a file of their own, and begin the line with "
        + "-----BEGIN: take the white space before the lines out"
    case .prefixed where ["\"", "'", "`"].contains(text.detail ?? ""):
      return "take the quotation marks before -----BEGIN and behind the last ----- off"
    case .prefixed where text.detail != nil:
      return
        "take the \(text.detail ?? "sign") before each line off, so that it begins with -----BEGIN"
    case .prefixed:
      return
        "save what stands from -----BEGIN to -----END as a file of its own, each line without what "
        + "is before it, and begin the line with -----BEGIN"
    case .withoutEnd:
      return "the end is missing: copy all of it, with the line -----END \(label)-----"
    case .damagedLines:
      return
        "the hyphens or letters of the BEGIN and END lines were changed, as word processors do: write "
        + "them as -----BEGIN \(label)----- and -----END \(label)-----, with five hyphens (-) each"
    case .sourceArray:
      return
        "make octets of the numbers in the source text: grep -o '0x[0-9A-Fa-f]*' FILE | xxd -r -p > "
        + "KEY, and name that file"
    case .base64OfText:
      return
        "this is base64 of a PEM file, as Kubernetes keeps it: decode it first (base64 -d FILE)"
    }
  }

  static func label(_ kind: TextKind) -> String {
    switch kind {
    case .publicKey, .postQuantumKey: "PUBLIC KEY"
    case .privateKey: "PRIVATE KEY"
    case .encryptedPrivateKey: "ENCRYPTED PRIVATE KEY"
    default: "CERTIFICATE"
    }
  }

  // MARK: Private keys and secrets

  /// What to do about a text in place of a private key.
  static func privateKey(_ text: RecognisedText) -> String? {
    switch text.kind {
    case .privateKey: return form(text)
    case .certificate, .certificates, .publicKey, .rsaPublicKey, .sshPublicKey, .keyValue,
      .certificateInXML, .certificateRequest, .pkcs7, .jwk, .jwkSet, .metadata, .postQuantumKey,
      .certificatesByIdentifier, .keyArray:
      return "this is public; name the private key that belongs to it"
    case .encryptedPrivateKey: return "take the passphrase off: openssl pkey -in FILE -out KEY"
    case .opensshPrivateKey where text.detail == "Ed25519":
      return
        "an Ed25519 key cannot decrypt, and ssh-keygen does not convert it: name the RSA or EC key "
        + "that tokens are encrypted to; to sign, make a key with openssl genpkey -algorithm ED25519"
    case .opensshPrivateKey: return "convert a copy of it: ssh-keygen -p -N '' -m PKCS8 -f COPY"
    case .puttyPrivateKey: return "convert it: puttygen FILE -O private-openssh -o KEY"
    case .pkcs12: return "take the key out: openssl pkcs12 -nocerts -nodes -in FILE"
    case .javaKeyStore:
      return "take the key out: keytool -importkeystore -srckeystore FILE -destkeystore KEY.p12 "
        + "-deststoretype PKCS12, then openssl pkcs12 -nocerts -nodes -in KEY.p12"
    case .privateJWK, .privateJWKSet, .secretJWK:
      return "name a private key in PEM; to decrypt, put jwk: before the path of a JWK: jwk:PATH"
    case .serviceAccount: return "save the text of its member private_key as a file of its own"
    case .kubernetes: return home(text)
    default:
      if let encoded = encodedFile(text) { return encoded }
      return "this holds no private key; \(TextPlace.privateKey.remedy)"
    }
  }

  /// What to do about a text in place of a secret.
  static func secret(_ text: RecognisedText) -> String? {
    switch text.kind {
    case .opaqueToken, .apiKey, .identifier, .path, .fingerprint, .hexadecimal: return nil
    case .secretJWK: return "name the value of k in base64, or its octets in a file"
    case .credentials: return "name the secret that the issuer has too by itself"
    default: break
    }
    if text.kind.isPrivate {
      return
        "this is a private key, and no secret that is shared: an HMAC needs the secret in base64 "
        + "or in a file"
    }
    if home(text) != nil {
      return "this is public and no secret: an HMAC needs the secret that the issuer has too"
    }
    return "this is no secret: an HMAC needs the one that the issuer has too"
  }

  // MARK: Documents

  /// What to do about a text in place of metadata.
  static func metadata(_ text: RecognisedText) -> String? {
    if let warning = warning(text) { return "\(warning); \(TextPlace.metadata.remedy)" }
    switch text.kind {
    case .metadata:
      return text.form == .base64OfText
        ? "this is base64 of metadata: decode it first (base64 -d FILE)" : nil
    case .certificate, .certificates, .publicKey, .rsaPublicKey, .sshPublicKey, .keyValue,
      .certificateInXML, .postQuantumKey:
      return
        "a certificate or key belongs to the trusted keys, in a trust file to keys of an issuer"
    case .token where text.detail != nil:
      return "this is a message of SAML and not metadata, which begins with EntityDescriptor; "
        + TextPlace.metadata.remedy
    case .json where text.detail != nil:
      return "this is no metadata, and a certificate or key stands in its member "
        + "\(text.detail ?? ""): add that to the trusted keys (--key); \(TextPlace.metadata.remedy)"
    case .address:
      return
        "nothing is fetched here: save the metadata of the address to a file (curl -o FILE ADDRESS) and "
        + "add that to the trusted metadata; claims metadata lint FILE says what is in it"
    case .xml:
      return "this is XML of another kind: metadata begins with EntityDescriptor or "
        + "EntitiesDescriptor; \(TextPlace.metadata.remedy)"
    default: break
    }
    if let encoded = encodedFile(text) { return encoded }
    if text.kind.holdsToken { return "this is a token or holds one; \(TextPlace.metadata.remedy)" }
    return "\(home(text) ?? "this is no metadata"); \(TextPlace.metadata.remedy)"
  }

  /// What to do about a text in place of a trust file.
  static func trustFile(_ text: RecognisedText) -> String? {
    if let warning = warning(text) { return "\(warning); \(TextPlace.trustFile.remedy)" }
    switch text.kind {
    case .trustFile, .json: return nil
    case .certificate, .certificates, .publicKey, .rsaPublicKey, .sshPublicKey, .keyValue,
      .certificateInXML, .postQuantumKey:
      return
        "a key or certificate belongs to the trusted keys, or to those of an issuer in a trust "
        + "file"
    case .metadata:
      return
        "metadata belongs to the trusted metadata, or as {\"metadata\": PATH} to the issuers of "
        + "a trust file"
    case .yaml: return "a trust file is JSON, not YAML: write it as JSON"
    case .address:
      return
        "nothing is fetched here: save the file of the address first (curl -o FILE ADDRESS) and name "
        + "that; an issuer's own address goes into a trust file as keysAt or openID, and claims trust "
        + "fetch FILE writes one with the keys in it"
    default: break
    }
    if let encoded = encodedFile(text) { return encoded }
    if text.kind.holdsToken { return "this is a token or holds one; \(TextPlace.trustFile.remedy)" }
    return "\(home(text) ?? "this is no trust file"); \(TextPlace.trustFile.remedy)"
  }
}
