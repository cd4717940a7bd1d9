import Federation
import Foundation
import TestSupport
import Testing
import TokenMutation
import XMLSecurity
import XMLTree

/// `EVERY_WRAP=1 swift test -c release --filter WrappingTests` tries all documents, otherwise one in
/// some hundreds.
@Suite("No wrapped signature verifies forged claims")
struct WrappingTests {
  static let isExhaustive = ProcessInfo.processInfo.environment["EVERY_WRAP"] == "1"

  /// The base documents B1, B2, B3, B5, B6 and B6c.
  static let bases = [
    "saml20/response-assertion-signed", "saml20/response-response-signed",
    "saml20/response-both-signed", "saml11/response-assertion-signed", "saml11/rstr",
    "saml11/rstr-collection",
  ]

  struct Count {
    var documents = 0
    var accepted = 0
    var sound = 0
    var forged: [String] = []
  }

  @Test("A document with a forged copy is refused or gives the genuine claims", arguments: bases)
  func wraps(id: String) throws {
    let vector = try #require(TestVector.all.first { $0.id == id })
    let trust = try vector.trust()
    let keys = trust.issuers.flatMap(\.keys)
    let now = try Instant(dateTime: vector.at ?? "2030-01-01T12:00:00Z")
    let expected = Expectations(recipient: vector.recipient, inResponseTo: vector.inResponseTo)
    let validator = TokenValidator<AnyToken>(trust)
    let genuine = try validator.validate(
      AnyToken(reading: vector.token), at: now, expecting: expected)
    let generator = try #require(WrapGenerator(vector.token))
    var count = Count()
    var number = 0
    generator.forEach { document in
      number += 1
      // A prime, so that the sample is not in step with the loops.
      guard Self.isExhaustive || number % 211 == 0 else { return }
      count.documents += 1
      if Self.isSound(document, keys, now) { count.sound += 1 }
      guard
        let verified = try? validator.validate(
          AnyToken(reading: document), at: now, expecting: expected)
      else { return }
      count.accepted += 1
      if verified.claims != genuine.claims || verified.facts != genuine.facts {
        count.forged.append(String(decoding: document, as: UTF8.self))
      }
    }
    print(
      "wraps of \(id): \(count.documents) documents of \(number), \(count.sound) with signatures "
        + "that hold, \(count.accepted) accepted with the genuine claims, "
        + "\(count.forged.count) with forged claims")
    #expect(count.documents > 50)
    // A document that is merely broken proves nothing. Where both parts are signed, a forged copy of
    // one always breaks the signature of the other.
    #expect(count.sound > 5 || id == "saml20/response-both-signed")
    #expect(count.forged.isEmpty, "\(count.forged.first ?? "")")
  }

  /// Whether the document is cryptographically sound: every signature is valid over what its
  /// reference names, wherever that is.
  private static func isSound(_ octets: [UInt8], _ keys: [TrustedKey], _ now: Instant) -> Bool {
    let verified = try? {
      let document = try Document(parsing: octets)
      return try DocumentSignatures.verify(
        document, identifiers: IdentifierIndex(document, .named(["AssertionID", "ResponseID"])),
        keys: KeyRing(keys), at: now, limits: Limits()
      ).count
    }()
    return (verified ?? 0) > 0
  }
}
