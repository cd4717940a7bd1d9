import Octets
import TokenBasics

/// What a file is that was named as a key and cannot be read as one. It only chooses the words of
/// the error.
enum KeyFileKind {
  /// `error`, which a file gave where a public key or certificate is meant, with what the file is.
  static func publicKey(_ error: TokenError, _ bytes: [UInt8]) -> TokenError {
    described(error, bytes, expected: "a certificate or public key in PEM or DER") {
      switch $0 {
      case .privateKey:
        "this is a private key, which belongs to the issuer alone: keep it secret, and name its "
          + "certificate "
          + "or public key (openssl pkey -in FILE -pubout)"
      case .encryptedKey, .opensshKey:
        "this is a private key, which belongs to the issuer alone: keep it secret, and name its "
          + "certificate "
          + "or public key"
      case .certificate, .publicKey: nil
      case .request:
        "this is a request for a certificate; name the certificate that was issued "
          + "for it"
      case .rsaPublicKey: "convert it: openssl rsa -RSAPublicKey_in -in FILE -pubout"
      case .sshKey: "convert it: ssh-keygen -e -m PKCS8 -f FILE"
      case .pkcs7: "take the certificate out: openssl pkcs7 -print_certs -in FILE"
      case .pkcs12: "take the certificate out: openssl pkcs12 -nokeys -clcerts -in FILE"
      case .other: nil
      }
    }
  }

  /// `error`, which a file gave where a private key is meant, with what the file is.
  static func privateKey(_ error: TokenError, _ bytes: [UInt8]) -> TokenError {
    let general =
      "PEM or DER, without a passphrase: PKCS #8, or the traditional form of RSA and "
      + "EC keys"
    return described(error, bytes, expected: "an unencrypted private key") {
      switch $0 {
      case .certificate, .publicKey, .rsaPublicKey, .sshKey, .request, .pkcs7:
        "this is public; name the private key that belongs to it"
      case .encryptedKey: "take the passphrase off: openssl pkey -in FILE -out KEY"
      case .opensshKey: "convert a copy of it: ssh-keygen -p -N '' -m PKCS8 -f COPY"
      case .pkcs12: "take the key out: openssl pkcs12 -nocerts -nodes -in FILE"
      case .privateKey, .other: nil
      }
    }.hintingInGeneral(general)
  }

  /// What material a file holds, by its label or its structure.
  private enum Material {
    case certificate
    case publicKey
    case privateKey
    case encryptedKey
    case opensshKey
    case request
    case rsaPublicKey
    case sshKey
    case pkcs7
    case pkcs12
    case other

    init(label: String) {
      switch label {
      case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE": self = .certificate
      case "PUBLIC KEY": self = .publicKey
      case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY": self = .privateKey
      case "ENCRYPTED PRIVATE KEY": self = .encryptedKey
      case "OPENSSH PRIVATE KEY": self = .opensshKey
      case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": self = .request
      case "RSA PUBLIC KEY": self = .rsaPublicKey
      case "SSH2 PUBLIC KEY": self = .sshKey
      case "PKCS7", "CMS": self = .pkcs7
      default: self = .other
      }
    }
  }

  private static func described(
    _ error: TokenError, _ bytes: [UInt8], expected: String,
    _ advice: (Material) -> String?
  ) -> TokenError {
    guard error.code == .unreadableKey, error.ownHint == nil else { return error }
    let (found, hint) = findings(bytes, advice)
    return TokenError(
      error.code, node: error.node, expected: error.expected ?? expected,
      found: error.found ?? found, hint: hint)
  }

  private static func findings(
    _ bytes: [UInt8], _ advice: (Material) -> String?
  ) -> (found: String?, hint: String?) {
    if bytes.isEmpty { return ("an empty file", nil) }
    switch ContentKind(bytes) {
    case .pem: return pem(bytes, advice)
    case .json: return json(bytes)
    case .xml: return xml(bytes)
    case .html:
      return (ContentKind.html.name, TokenError.Code.htmlPage.hint)
    case .utf16:
      return (ContentKind.utf16.name, TokenError.Code.utf16Input.hint)
    case .compactJWS:
      return (ContentKind.compactJWS.name, "this is a token; name the key of its issuer")
    case let kind? where kind.isCompressed:
      return (kind.name, TokenError.Code.compressedInput.hint)
    default: return binary(bytes, advice)
    }
  }

  private static func pem(
    _ bytes: [UInt8], _ advice: (Material) -> String?
  ) -> (found: String?, hint: String?) {
    let text = String(decoding: bytes.prefix(4_096), as: UTF8.self)
    if text.hasPrefix("ssh-") { return ("a public key of OpenSSH", advice(.sshKey)) }
    let lines = text.split(whereSeparator: \.isNewline)
    guard let begin = lines.first(where: { $0.contains("-----BEGIN ") }) else { return (nil, nil) }
    if begin.contains("\\n") {
      return ("line ends that are written as \\n", "write each \\n as a line end")
    }
    guard begin.utf8.starts(with: "-----BEGIN ".utf8) else {
      return ("a BEGIN line with something before it", "begin the line with -----BEGIN")
    }
    let label = String(begin.dropFirst("-----BEGIN ".utf8.count).prefix { $0 != "-" })
    let isEncrypted = lines.contains { $0.hasPrefix("Proc-Type: 4,ENCRYPTED") }
    return (
      TokenError.excerpt(label) + (isEncrypted ? " with a passphrase" : ""),
      advice(isEncrypted ? .encryptedKey : Material(label: label))
    )
  }

  private static func json(_ bytes: [UInt8]) -> (found: String?, hint: String?) {
    let text = String(decoding: bytes.prefix(65_536), as: UTF8.self)
    if text.contains("\"kty\"") || text.contains("\"keys\"") {
      return ("a JWK set", "put jwks: before the path of a JWK set: jwks:PATH")
    }
    if text.contains("\"jwks_uri\"") {
      return (
        "a discovery document of OpenID Connect",
        "fetch the JWK set at its jwks_uri, and name that file as jwks:PATH"
      )
    }
    if text.contains("-----BEGIN CERTIFICATE") {
      return (
        "JSON with certificates by identifier",
        "save the certificate of one by itself, or "
          + "the JWK set"
      )
    }
    return (ContentKind.json.name, nil)
  }

  private static func xml(_ bytes: [UInt8]) -> (found: String?, hint: String?) {
    let text = String(decoding: bytes.prefix(65_536), as: UTF8.self)
    guard text.contains("EntityDescriptor") || text.contains("EntitiesDescriptor") else {
      return (ContentKind.xml.name, nil)
    }
    return (
      "SAML metadata",
      "it belongs to the trusted metadata and not to the keys, in a trust file as {\"metadata\": PATH}"
    )
  }

  private static func binary(
    _ bytes: [UInt8], _ advice: (Material) -> String?
  ) -> (found: String?, hint: String?) {
    if bytes.first == 0x30 { return (name(ofDER: bytes), advice(material(ofDER: bytes))) }
    guard let der = try? Base64.decode(bytes.span, whiteSpace: .skipped), der.first == 0x30 else {
      return ("\(bytes.count) bytes that are neither", nil)
    }
    let label = label(ofDER: der)
    return (
      "base64 without BEGIN and END lines",
      "put -----BEGIN \(label)----- in a line before it and -----END \(label)----- in a line "
        + "behind it"
    )
  }

  private static func label(ofDER der: [UInt8]) -> String {
    switch material(ofDER: der) {
    case .publicKey: "PUBLIC KEY"
    case .privateKey: "PRIVATE KEY"
    default: "CERTIFICATE"
    }
  }

  private static func name(ofDER der: [UInt8]) -> String? {
    switch material(ofDER: der) {
    case .certificate: "a certificate"
    case .publicKey: "a public key"
    case .privateKey: "a private key"
    case .pkcs7: "PKCS #7"
    case .pkcs12: "PKCS #12"
    default: "DER of another kind, or cut short"
    }
  }

  private static func material(ofDER der: [UInt8]) -> Material {
    if (try? Certificate(der: der)) != nil { return .certificate }
    if (try? PublicKey(der: der)) != nil { return .publicKey }
    if (try? PrivateKey(PrivateKey.Storage(der: der))) != nil { return .privateKey }
    // A SEQUENCE of the version 3, or of the identifier of signedData (RFC 7292, 4; RFC 2315, 14).
    let content = der.dropFirst(der.count > 1 && der[1] & 0x80 != 0 ? 2 + Int(der[1] & 0x7F) : 2)
    if content.starts(with: [0x02, 0x01, 0x03]) { return .pkcs12 }
    if content.starts(with: [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]) {
      return .pkcs7
    }
    return .other
  }
}

extension TokenError {
  /// The same error, with this hint unless it has one for the situation.
  fileprivate func hintingInGeneral(_ hint: String) -> Self {
    code == .unreadableKey && ownHint == nil ? hinting(hint) : self
  }
}
