import Federation
import SAML
import TestSupport
import XMLOracle

/// Metadata: the reader, the linter and the signed form.
struct MetadataTarget: FuzzTarget {
  private let vectors = TestVector.of("metadata")
  private let keys: [TrustedKey]
  private let now: Instant
  private let genuine: Set<[String]>

  init() {
    do {
      now = try Instant(dateTime: "2030-01-01T12:00:00Z")
      keys = try ["keys/idp-rsa.crt", "keys/idp-ec256.crt", "keys/other-rsa.crt"].map {
        TrustedKey(try KeySpecification.key($0, files: VectorFiles()))
      }
    } catch {
      fail("no keys: \(error)")
    }
    var genuine: Set<[String]> = []
    for vector in vectors {
      if let signed = try? SignedMetadata(verifying: vector.octets, keys: keys, at: now) {
        genuine.insert(signed.entities.map { "\($0)" })
      }
    }
    self.genuine = genuine
  }

  var seeds: [(name: String, octets: [UInt8])] { vectors.map { ($0.id, $0.octets) } }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    XMLMutator.mutate(octets, &random)
  }

  func cross(_ first: [UInt8], _ second: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    XMLMutator.cross(first, second, &random)
  }

  func exercise(_ octets: [UInt8]) {
    let whole = read(octets, by: max(octets.count, 1))
    let parts = read(octets, by: octets.count / 7 + 1)
    switch (whole, parts) {
    case (.success(let entities), .success(let again)):
      require("\(entities)" == "\(again)", "in parts it says the same")
    case (.failure(let error), .failure): ErrorHygiene.check(error, octets)
    default: fail("in parts it has another verdict")
    }
    let findings = lint(octets, by: max(octets.count, 1))
    require(findings == lint(octets, by: octets.count / 5 + 3), "in parts it has the same findings")
    if case .success = whole, let findings {
      require(!findings.contains { $0.contains("META-L01") }, "what is read is readable")
    }
    if let signed = try? SignedMetadata(verifying: octets, keys: keys, at: now) {
      require(genuine.contains(signed.entities.map { "\($0)" }), "accepted ⇒ signed like this")
    }
  }

  private func read(
    _ octets: [UInt8], by count: Int
  ) -> Result<[EntityDescriptor], TokenError> {
    Result { () throws(TokenError) in
      var reader = try MetadataReader()
      var entities: [EntityDescriptor] = []
      var rest = octets[...]
      while !rest.isEmpty {
        entities += try reader.consume(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      return try entities + reader.finish()
    }
  }

  private func lint(_ octets: [UInt8], by count: Int) -> [String]? {
    var findings: [LintFinding] = []
    do throws(TokenError) {
      var linter = try MetadataLinter(at: now)
      var rest = octets[...]
      while !rest.isEmpty {
        findings += try linter.consume(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      return try (findings + linter.finish()).map { "\($0)" }
    } catch {
      return nil
    }
  }
}
