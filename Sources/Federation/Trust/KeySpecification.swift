import Octets

/// A key in an option or trust file: a PEM or DER file, `hmac:BASE64`, `hmac-file:PATH`, or `jwks:PATH`.
public enum KeySpecification: Sendable {
  /// Reads the key.
  ///
  /// `hmac-file:` decodes the file as base64 where it is canonical base64, else uses its raw bytes;
  /// one line end after it is ignored. A file of more than 64 KiB is rejected.
  ///
  /// - Throws: `key.unreadable`, `key.several`, `key.unsupported`, `key.weak`, `key.hmac-length`, and
  ///   what `files` throws.
  public static func key(
    _ specification: String, files: some FileSource
  ) throws(TokenError) -> VerificationKey {
    if let text = suffix(of: specification, after: "hmac:") {
      do {
        return .secret(try SymmetricKey(bytes: Base64.decode(Array(text.utf8).span)))
      } catch {
        throw error.code == .malformedBase64
          ? TokenError(.unreadableKey, node: "hmac:", expected: "canonical base64") : error
      }
    }
    if let path = suffix(of: specification, after: "hmac-file:") {
      var bytes = try files.read(path)
      guard bytes.count <= secretFileLimit else {
        throw TokenError(
          .unreadableKey, node: path,
          expected: "a secret, in a file of at most \(secretFileLimit) bytes",
          found: "\(bytes.count) bytes")
      }
      let text = bytes.last == ASCII.lineFeed ? Array(bytes.dropLast()) : bytes
      if let decoded = try? Base64.decode(text.span), !decoded.isEmpty { bytes = decoded }
      return .secret(try SymmetricKey(bytes: bytes))
    }
    do {
      return try VerificationKey(pemOrDER: files.read(specification))
    } catch {
      throw error.located(at: specification)
    }
  }

  /// Reads the keys: one, or all of a JSON Web Key set.
  ///
  /// - Throws: as ``key(_:files:)``, and what `JSONWebKeySet` throws.
  public static func keys(
    _ specification: String, files: some FileSource
  ) throws(TokenError) -> [TrustedKey] {
    guard let path = suffix(of: specification, after: "jwks:") else {
      return [TrustedKey(try key(specification, files: files))]
    }
    do {
      return try JSONWebKeySet(parsing: files.read(path)).keys
    } catch {
      throw error.located(at: specification)
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
