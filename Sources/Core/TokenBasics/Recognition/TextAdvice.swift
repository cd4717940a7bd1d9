/// What to do about a text of one kind at one place: the one table of kinds and places.
package enum TextAdvice {
  /// The hint; nil where nothing is known beyond the hint of the error's code.
  package static func hint(_ text: RecognisedText, at place: TextPlace) -> String? {
    switch text.kind {
    case .other: return nil
    case .token where place == .token || place == .line: return nil
    case .certificate where place == .key && text.form == .plain: return nil
    case .empty: return "there is nothing in it: \(place.remedy)"
    default: break
    }
    let isToken = place == .token || place == .line
    if isToken, text.isAroundTokens { return inside(text.tokens) }
    if let hint = around(text, place) { return hint }
    if text.kind == .kubernetes, let hint = KubernetesText.hint(text, at: place) { return hint }
    if let hint = settings(text, place) { return hint }
    if let remark = text.remark { return "\(remark); \(place.remedy)" }
    if let row = rows[text.kind] ?? documentRows[text.kind] { return row.hint(at: place) }
    if let encoding = encoding(text, place) { return encoding }
    if text.kind.isPage { return page(text, place) }
    switch place {
    case .token, .line: return token(text, place)
    case .key, .keySet: return key(text, place)
    case .privateKey: return privateKey(text)
    case .secret: return secret(text)
    case .metadata: return metadata(text)
    case .trustFile: return trustFile(text)
    }
  }

  /// What stands in a document of another kind: a token in lines of JSON, a certificate or key in base64.
  private static func around(_ text: RecognisedText, _ place: TextPlace) -> String? {
    if text.kind == .jsonLines, let member = text.detail, place == .token || place == .line {
      return "pass one token alone: it stands in the member \(member) of a line (jq -r '\(member)' "
        + "FILE writes one on each line, to be read line by line)"
    }
    if text.kind == .metadataInside { return metadataInside(text, place) }
    guard place == .key || place == .keySet, let key = text.key else { return nil }
    if key.isPrivate {
      return
        "a private key stands in it (\(key.place)), which belongs to the issuer alone: keep it "
        + "secret, and name its certificate or public key"
    }
    let value = "\(key.kind.rawValue) stands in it as base64 (\(key.place))"
    return key.isDER
      ? "\(value): save the value as a file of its own, between a line -----BEGIN \(label(key.kind))"
        + "----- and a line -----END \(label(key.kind))-----, and name that file"
      : "\(value): decode the value (base64 -d), and name the file with what it gives"
  }

  // MARK: Kinds that are the same everywhere

  private static func encoding(_ text: RecognisedText, _ place: TextPlace) -> String? {
    let isToken = place == .token || place == .line
    switch text.kind {
    case .utf16: return TokenError.Code.utf16Input.hint
    case .zlib where text.form == .base64OfText && isToken:
      return "the Redirect binding has no zlib header: leave out two bytes before the stream and "
        + "four behind it"
    case .gzip, .zlib, .zip:
      return text.form == .base64OfText
        ? "decode the base64 and decompress what is inside" : TokenError.Code.compressedInput.hint
    case .mergeConflict:
      return "resolve the conflict, and take the lines <<<<<<<, ======= and >>>>>>> out"
    case .quotedPrintable:
      return
        "a mail wrote the text with = and two digits, and with = at the ends of lines (quoted-printable): save it from "
        + "the mail program, or decode it"
    case .binary: return "the file is of another program: \(place.remedy)"
    default: return nil
    }
  }

  private static func page(_ text: RecognisedText, _ place: TextPlace) -> String {
    if text.kind == .formPage, place == .token || place == .line {
      let field = text.detail ?? "with the token"
      return "the page posts a form: pass the value of its field \(field) alone"
    }
    if text.kind == .errorPage, let title = text.detail {
      return
        "the page is about an error (\(TokenError.excerpt(title))): check the address that was "
        + "asked; \(place.remedy)"
    }
    return TokenError.Code.htmlPage.hint
  }

  /// Where a text belongs that is a document or a public key; nil for one that belongs nowhere here.
  static func home(_ text: RecognisedText) -> String? {
    switch text.kind {
    case .certificate, .certificates, .publicKey, .rsaPublicKey, .sshPublicKey, .keyValue,
      .certificateInXML, .postQuantumKey:
      return "it belongs to the trusted keys, in a trust file to keys of an issuer"
    case .jwk, .jwkSet: return "it belongs to the trusted keys, as jwks:PATH"
    case .metadata:
      return "it belongs to the trusted metadata, in a trust file as {\"metadata\": PATH}"
    case .trustFile: return "its place is that of a trust file"
    case .serviceFile: return "it configures a server, and holds no trust of its own"
    case .discovery:
      return "fetch the JWK set at its jwks_uri\(text.detail.map { " " + $0 } ?? ""), and add that "
        + "file to the trusted keys as jwks:PATH"
    case .pkcs7:
      return "take the certificate out: openssl pkcs7 -print_certs "
        + "\(text.form == .der ? "-inform DER " : "")-in FILE, and name its first certificate in PEM"
    case .pkcs12: return "take the certificate out: openssl pkcs12 -nokeys -clcerts -in FILE"
    case .javaKeyStore:
      return "take the certificate out: keytool -exportcert -rfc -alias NAME -keystore FILE"
    case .keyArray: return "put the array into an object with the member keys: {\"keys\": [...]}"
    case .certificatesByIdentifier:
      return "the issuer publishes the same keys as a JWK set too (Google: /oauth2/v3/certs, "
        + "Firebase: /service_accounts/v1/jwk/...); or save a certificate by itself and name it as "
        + "PEM"
    case .certificateRequest:
      return "this is a request for a certificate; name the certificate that was issued for it"
    case .revocationList: return "a revocation list has no key"
    case .keyParameters: return "parameters for an agreement of keys have no key in them"
    case .pgp:
      return
        "OpenPGP signs no tokens and no metadata here: a signature or key of OpenPGP stands beside the file that "
        + "is meant"
    case .kubernetes:
      if let path = text.detail, path.hasPrefix(".") {
        return "take the value out of data and decode its base64: jq -r '\(path)' FILE | base64 -d "
          + "> KEY, and name that file"
      }
      guard ["Secret", "ConfigMap", "List", nil].contains(text.detail) else { return nil }
      return "take the value out of data and decode its base64: kubectl get secret NAME -o "
        + "jsonpath='{.data.NAME}' | base64 -d, with \\. for each dot in the name"
    case .fingerprint:
      return "a fingerprint only identifies a certificate or key: nothing can be verified with it"
    case .address:
      return "nothing is fetched from an address here: save what it gives first (curl -o FILE "
        + "ADDRESS)"
    default: return nil
    }
  }

  /// What to do about a text that holds what must stay secret.
  static func warning(_ text: RecognisedText) -> String? {
    guard text.kind.isPrivate else { return nil }
    return text.kind == .basicCredentials
      || text.kind == .credentials
      ? "this holds a password or secret: keep it secret, and change it where others saw it"
      : "this is a private key or secret, which belongs to its owner alone: keep it secret, and "
        + "replace it where others saw it"
  }
}
