import Federation
import Foundation
import SAML
import SecurityKeys
import TestSupport
import Testing

/// META-1 to META-8, META-12, META-15 to META-19 and OK-41 as files; the vectors name the entries.
/// META-9 is in ``EndpointTests``. META-13 and META-14 concern fetching, which does not happen here.
@Suite("Metadata vectors")
struct MetadataVectorTests {
  /// The issuers that the vector's file makes trusted, and the keys valid at its time.
  static func trusted(_ vector: TestVector) throws -> [String: Set<String>] {
    var trust = MetadataTrust()
    for name in vector.allowed {
      trust.exceptions.formUnion(LegacyException(name).map { [$0] } ?? [])
    }
    for name in vector.keys {
      trust.signers.append(
        TrustedKey(
          try KeySpecification.key(name, files: VectorFiles()), exceptions: trust.exceptions))
    }
    var known: Set<[UInt8]> = []
    let issuers = try trust.issuers(
      inFile: vector.id + ".xml", of: VectorFiles(), known: &known)
    let now = try Instant(dateTime: vector.at ?? "")
    var keys: [String: Set<String>] = [:]
    for issuer in issuers {
      guard case .exactly(let name) = issuer.name else { continue }
      let valid = issuer.keys.filter { $0.validUntil.map { now < $0 } ?? true }
      if !valid.isEmpty { keys[name] = Set(valid.map(\.key.fingerprint)) }
    }
    return keys
  }

  @Test(
    "Accepted metadata vouches for exactly these issuers with exactly these keys",
    arguments: TestVector.of("metadata").filter(\.accepts))
  func accepted(vector: TestVector) throws {
    var expected: [String: Set<String>] = [:]
    for (issuer, names) in vector.trusts {
      expected[issuer] = Set(
        try names.map {
          try KeySpecification.key("keys/\($0).crt", files: VectorFiles()).fingerprint
        })
    }
    #expect(try Self.trusted(vector) == expected)
  }

  @Test(
    "Rejected metadata is rejected for the cause in the manifest",
    arguments: TestVector.of("metadata").filter { !$0.accepts })
  func rejected(vector: TestVector) throws {
    let error = try #require(throws: TokenError.self) { try Self.trusted(vector) }
    #expect(error.code.rawValue == vector.code)
  }

  @Test("A signed file with one changed bit is never read as signed")
  func flips() throws {
    let original = TestVector.bytes("metadata/signed.xml")
    let key = TrustedKey(
      try KeySpecification.key("keys/idp-rsa.crt", files: VectorFiles()))
    let now = try Instant(dateTime: "2030-01-01T12:00:00Z")
    let whole = try SignedMetadata(verifying: original, keys: [key], at: now)
    #expect(whole.entities.map(\.entityID) == ["https://idp.example/idp"])
    for position in stride(from: 0, to: original.count, by: 7) {
      var changed = original
      changed[position] ^= 1
      guard let read = try? SignedMetadata(verifying: changed, keys: [key], at: now) else {
        continue
      }
      // Only octets that are not digested may change: white space of base64, KeyInfo of the signature.
      #expect(read.entities.map(\.entityID) == whole.entities.map(\.entityID))
      #expect(
        read.entities.flatMap(\.roles).flatMap(\.endpoints).map(\.location)
          == whole.entities.flatMap(\.roles).flatMap(\.endpoints).map(\.location))
    }
  }
}
