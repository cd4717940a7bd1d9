import Octets

/// A key as a person names it: a PEM or DER file, `hmac:BASE64`, or `hmac-file:PATH`.
public enum KeySpecification: Sendable {
  /// Reads the key.
  ///
  /// `hmac-file:` takes base64 text where the file is canonical base64, raw bytes otherwise; one line
  /// end behind it does not count.
  ///
  /// - Throws: `key.unreadable`, `key.unsupported`, `key.weak`, `key.hmac-length`, and what `files`
  ///   throws.
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
      let text = bytes.last == ASCII.lineFeed ? Array(bytes.dropLast()) : bytes
      if let decoded = try? Base64.decode(text.span), !decoded.isEmpty { bytes = decoded }
      return .secret(try SymmetricKey(bytes: bytes))
    }
    if specification.hasPrefix("jwks:") {
      throw TokenError(
        .unreadableKey, node: specification, expected: "a key of this release's formats",
        found: "a JSON Web Key set")
    }
    do {
      return try VerificationKey(pemOrDER: files.read(specification))
    } catch {
      throw error.located(at: specification)
    }
  }

  /// The formats that a key vouches for when nobody says: secrets for SWT, public keys for SAML.
  public static func defaultFormats(of key: VerificationKey) -> Set<TokenFormat> {
    if case .secret = key.material { return [.swt] }
    return [.saml11, .saml20, .jwt]
  }

  private static func suffix(of text: String, after prefix: String) -> String? {
    text.utf8.starts(with: prefix.utf8) ? String(text.dropFirst(prefix.count)) : nil
  }
}
