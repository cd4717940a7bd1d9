import Octets
import TokenBasics

/// A key in an option or trust file: a PEM or DER file, `hmac:BASE64`, `hmac-file:PATH`, or `jwks:PATH`.
public enum KeySpecification: Sendable {
  /// Reads the key.
  ///
  /// `hmac-file:` decodes the file as base64 where it is canonical base64, else uses its raw bytes;
  /// one line end after it is ignored. A file of more than 64 KiB is rejected, and one of settings
  /// (`NAME=VALUE`), of which only a value can be the secret.
  ///
  /// - Throws: `key.unreadable`, `key.several`, `key.unsupported`, `key.weak`, `key.hmac-length`, and
  ///   what `files` throws.
  public static func key(
    _ specification: String, files: some FileSource
  ) throws(TokenError) -> VerificationKey { try single(specification, files).key }

  /// One key, and what to know of its file.
  private struct Single: Sendable {
    let key: VerificationKey
    var warning: String?
  }

  private static func single(
    _ specification: String, _ files: some FileSource
  ) throws(TokenError) -> Single {
    try files.value(of: specification, as: "key") { () throws(TokenError) in
      try read(specification, files)
    }
  }

  private static func read(
    _ specification: String, _ files: some FileSource
  ) throws(TokenError) -> Single {
    if let text = suffix(of: specification, after: "hmac:") {
      do {
        return Single(
          key: .secret(try SymmetricKey(bytes: Base64.decode(Array(text.utf8).span))))
      } catch {
        throw error.code == .malformedBase64
          ? TokenError(
            .unreadableKey, node: "hmac:", expected: "canonical base64",
            hint: "hmac: has the secret in base64; a secret that is a text goes into a file, "
              + "hmac-file:PATH")
          : error
      }
    }
    if let path = suffix(of: specification, after: "hmac-file:") {
      return try secret(files.read(path), path)
    }
    do {
      let bytes = try files.read(specification)
      return Single(
        key: try VerificationKey(pemOrDER: bytes),
        warning: KeyAdvice.warning(aboutKey: bytes, specification))
    } catch {
      guard error.code == .unreadableFile else { throw error.located(at: specification) }
      throw misplaced(specification, error)
    }
  }

  /// A shared secret: base64 text, or raw bytes.
  private static func secret(_ bytes: [UInt8], _ path: String) throws(TokenError) -> Single {
    guard bytes.count <= secretFileLimit else {
      throw TokenError(
        .unreadableKey, node: path,
        expected: "a secret, in a file of at most \(secretFileLimit) bytes",
        found: "\(bytes.count) bytes", hint: "name the file that holds the secret alone")
    }
    guard (try? VerificationKey(pemOrDER: bytes)) == nil else {
      throw TokenError(
        .unreadableKey, node: path, expected: "a secret", found: "a certificate or public key",
        hint: "whoever has it could make tokens: name the file that holds the secret alone"
      )
    }
    if let fault = KeyAdvice.fault(ofSecret: bytes, path) { throw fault }
    let text = bytes.last == ASCII.lineFeed ? Array(bytes.dropLast()) : bytes
    let decoded = (try? Base64.decode(text.span)).flatMap { $0.isEmpty ? nil : $0 }
    return Single(
      key: .secret(try SymmetricKey(bytes: decoded ?? bytes)),
      warning: KeyAdvice.warning(aboutSecret: bytes, path))
  }

  /// The error for a text that stands where the name of a file is meant, with what the text is.
  private static func misplaced(_ specification: String, _ error: TokenError) -> TokenError {
    let text = RecognisedText.of(specification.utf8)
    switch text.kind {
    case .path, .other, .empty, .opaqueToken, .apiKey, .identifier, .binary, .json, .xml:
      return error
    default:
      return TokenError(
        error.code, node: error.node,
        expected: "the name of a file with a certificate or public key",
        found: text.shown, hint: TextAdvice.hint(text, at: .key))
    }
  }

  /// Reads the keys: one, or those of a JSON Web Key set that can be used. ``read(_:files:)`` also
  /// says which cannot.
  ///
  /// - Throws: as ``read(_:files:)``.
  public static func keys(
    _ specification: String, files: some FileSource
  ) throws(TokenError) -> [TrustedKey] { try read(specification, files: files).keys }

  /// The keys of a specification, and what its file could not give.
  public struct Content: Sendable {
    /// The keys that can be used.
    public let keys: [TrustedKey]
    /// Why other keys of a set are passed over, each with the specification and its place in the
    /// set.
    public let passedOver: [TokenError]
    /// What is written in another way than the standards demand and was read all the same, as one
    /// sentence each.
    public let warnings: [String]
  }

  /// Reads the keys: one, or those of a JSON Web Key set.
  ///
  /// - Throws: as ``key(_:files:)``, and what `JSONWebKeySet` throws, at the specification.
  public static func read(
    _ specification: String, files: some FileSource
  ) throws(TokenError) -> Content { try read(specification, allowing: [], files: files) }

  /// As ``read(_:files:)``, for keys of which these exceptions are allowed.
  package static func read(
    _ specification: String, allowing exceptions: Set<LegacyException>, files: some FileSource
  ) throws(TokenError) -> Content {
    guard let path = suffix(of: specification, after: "jwks:") else {
      let single = try single(specification, files)
      return Content(
        keys: [TrustedKey(single.key)], passedOver: [],
        warnings: single.warning.map { [$0] } ?? [])
    }
    let set = try files.value(of: specification, as: "keys") { () throws(TokenError) in
      do throws(TokenError) {
        return try JSONWebKeySet(parsing: files.read(path))
      } catch {
        throw error.code == .unreadableFile
          ? RecognisedText.nameError(error, path, at: .keySet) : error.within(specification)
      }
    }
    return Content(
      keys: set.keys,
      passedOver: set.passedOver(allowing: exceptions).map { $0.within(specification) },
      warnings: set.warnings.map { "\(specification), \($0)" })
  }

  /// Reads keys of ours, to which tokens are encrypted: a private key in PEM or DER, or `jwk:PATH` for a private JWK,
  /// a secret (`oct`), or a set of them.
  ///
  /// - Throws: `input.json-*`, `key.*`, and what `files` throws, at the specification.
  public static func decryptionKeys(
    _ specification: String, files: some FileSource
  ) throws(TokenError) -> [DecryptionKey] {
    try files.value(of: specification, as: "decryption keys") { () throws(TokenError) in
      guard let path = suffix(of: specification, after: "jwk:") else {
        return [DecryptionKey(try PrivateKey(pemOrDER: files.read(specification)))]
      }
      do throws(TokenError) {
        return try JSONWebEncryptionKey.decryptionKeys(in: files.read(path))
      } catch {
        throw error.code == .unreadableFile ? error : error.within(specification)
      }
    }
  }

  /// The default formats of a specification's keys: secrets for SWT, key sets for JWT, other public
  /// keys for SAML and JWT.
  public static func defaultFormats(
    of specification: String, key: VerificationKey
  ) -> Set<TokenFormat> {
    suffix(of: specification, after: "jwks:") == nil ? defaultFormats(of: key) : [.jwt]
  }

  /// The default formats of a key: secrets for SWT, public keys for the rest.
  public static func defaultFormats(of key: VerificationKey) -> Set<TokenFormat> {
    if case .secret = key.material { return [.swt] }
    return [.saml11, .saml20, .jwt]
  }

  /// In bytes: 64 KiB, so that a file named by mistake is not used as a secret.
  private static let secretFileLimit = 65_536

  private static func suffix(of text: String, after prefix: String) -> String? {
    text.utf8.starts(with: prefix.utf8) ? String(text.dropFirst(prefix.count)) : nil
  }
}
