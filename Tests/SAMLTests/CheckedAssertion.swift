import Claims
import Foundation
import TokenBasics
@testable import SAML
import SecurityKeys
import TestSupport
import Testing
import XMLSecurity

/// The checks of an assertion or response by themselves: its signature is taken as verified, so that one
/// text can be changed and one check fails.
struct CheckedAssertion {
  let checks: [Check]
  let warnings: [String]

  var failures: [TokenError.Code] { checks.compactMap { $0.error?.code } }

  func outcome(of name: Check.Name) -> Check.Outcome? { checks.last { $0.name == name }?.outcome }

  /// - Parameters:
  ///   - vector: A file of `TestVectors`.
  ///   - changes: Texts to replace in it, each of which must be there.
  init(
    _ vector: String, _ changes: [(String, String)] = [],
    expecting expectations: Expectations = Expectations(),
    audiences: Trust.Audiences = .oneOf(["https://rp.example/saml"]),
    at now: String = "2030-01-01T12:00:00Z"
  ) throws {
    var text = String(decoding: TestVector.bytes(vector), as: UTF8.self)
    for (old, new) in changes {
      try #require(text.contains(old), "\(old) is not in \(vector)")
      text = text.replacingOccurrences(of: old, with: new)
    }
    let token = try SAMLToken(parsing: Array(text.utf8))
    let trust = Trust(issuers: [], audiences: audiences)
    var context = VerificationContext(
      trust, expectations, at: try Instant(dateTime: now), isDetailed: true)
    let assertion = try #require(token.assertion)
    var decryption = Decryption(
      Decryptor(keys: [], exceptions: [], limits: Limits()), Limits())
    let signed = SAMLToken.Signed(
      assertion: assertion, match: try Self.match(at: context.now), message: nil,
      namespaces: .nothing, entry: TrustedIssuer(.any, keys: [], formats: []))
    let checks = SAMLChecks(token, try token.read(assertion, &decryption), signed, context)
    checks.run(&context)
    self.checks = context.journal.checks
    warnings = context.journal.warnings
  }

  /// A match of some signature, which says nothing about the assertion.
  private static func match(at now: Instant) throws -> KeyRing.Match {
    let key = try SymmetricKey(bytes: [UInt8](repeating: 7, count: 32))
    let message: [UInt8] = [1]
    let mac = key.authenticate(message.span, with: .sha256) ?? []
    return try KeyRing([TrustedKey(.secret(key))]).match(
      mac, over: message.span, .hmacSHA256, at: now)
  }
}
