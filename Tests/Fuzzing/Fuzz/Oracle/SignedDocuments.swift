import Federation
import Foundation
import SecurityKeys
import TestSupport
import XMLOracle
import XMLSecurity
import XMLTree

/// Mutated signed documents with our verdict on each, one a line, for another program to verify too
/// (Tests/Fuzzing/signatures.py): the key file, the verdict, the document in base64.
enum SignedDocuments {
  private struct Seed {
    let octets: [UInt8]
    let key: String
    let ring: KeyRing
  }

  static func run(_ arguments: [String]) {
    guard arguments.count == 2, let count = UInt64(arguments[0]), let start = UInt64(arguments[1])
    else { fail("usage: Fuzz signed-documents COUNT SEED") }
    let seeds = seeds()
    require(seeds.count > 100, "there are signed documents")
    var lines: [UInt8] = []
    for number in start..<start + count {
      var random = SplitMix64(seed: number)
      let seed = random.pick(seeds)
      var octets = seed.octets
      for _ in 0..<random.pick([0, 1, 1, 1, 1, 2, 3]) {
        octets = XMLMutator.mutate(octets, &random)
      }
      if random.chance(10) { octets = XMLMutator.cross(octets, random.pick(seeds).octets, &random) }
      lines += Array("\(seed.key) \(verdict(octets, seed.ring)) ".utf8)
      lines += Array(Data(octets).base64EncodedString().utf8) + [UInt8(ascii: "\n")]
      if lines.count > 1 << 20 { flush(&lines) }
    }
    flush(&lines)
  }

  /// The genuine documents that other programs signed, unchanged from the vectors.
  private static func seeds() -> [Seed] {
    TestVector.of("xmldsig", "saml20", "saml11", "metadata").compactMap { vector in
      guard vector.accepts, vector.keys.count == 1, vector.identifiers.isEmpty,
        !vector.keys[0].hasPrefix("jwks"), vector.octets.count < 12_000,
        let key = try? KeySpecification.key(vector.keys[0], files: VectorFiles())
      else { return nil }
      // libxmlsec1 supports no ECDSA value but r‖s.
      let exceptions = Set(LegacyException.all).subtracting([.ecdsaASN1])
      let trusted = TrustedKey(key, exceptions: exceptions)
      let seed = Seed(octets: vector.octets, key: vector.keys[0], ring: KeyRing([trusted]))
      return verdict(seed.octets, seed.ring) == "accepted" ? seed : nil
    }
  }

  private static func verdict(_ octets: [UInt8], _ ring: KeyRing) -> String {
    do throws(TokenError) {
      let document = try Document(parsing: octets)
      _ = try DocumentSignatures.verify(
        document, identifiers: IdentifierIndex(document, .named(["AssertionID", "ResponseID"])),
        keys: ring, at: Instant(dateTime: "2030-01-01T12:00:00Z"), limits: Limits())
      return "accepted"
    } catch {
      return error.code.rawValue
    }
  }

  private static func flush(_ lines: inout [UInt8]) {
    FileHandle.standardOutput.write(Data(lines))
    lines = []
  }
}
