import SecurityKeys
import TokenErrors

/// Certificates inside of a token.
enum TestCertificate {
  /// The test certificate in place of the one in `der`; nil where that cannot be read. Its key becomes a
  /// candidate: a token may be signed with a key that is not trusted.
  static func reading(_ der: [UInt8], _ session: CaptureSession) -> [UInt8]? {
    guard let original = try? Certificate(der: der) else { return nil }
    try? session.add(.certificate(original))
    return (try? session.keys.certificate(for: original))?.der
  }
}
