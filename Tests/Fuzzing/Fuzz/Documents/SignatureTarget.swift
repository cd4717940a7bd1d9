import Federation
import SecurityKeys
import TestSupport
import XMLOracle
import XMLSecurity
import XMLTree

/// XML Signatures outside any federation format.
struct SignatureTarget: FuzzTarget {
  private let vectors = TestVector.of("xmldsig").filter { $0.octets.count < 8_000 }
  private let keys: KeyRing
  private let identifiers: [String]
  private let now: Instant
  /// The digests of each genuine signature.
  private var genuine: Set<[String]> = []

  init() {
    do {
      var keys: [TrustedKey] = []
      for specification in Set(vectors.flatMap(\.keys)).sorted() {
        keys.append(
          TrustedKey(
            try KeySpecification.key(specification, files: VectorFiles()),
            exceptions: Set(LegacyException.all)))
      }
      self.keys = KeyRing(keys)
      identifiers = Set(vectors.flatMap(\.identifiers)).sorted()
      now = try Instant(dateTime: "2030-01-01T12:00:00Z")
    } catch {
      fail("no keys: \(error)")
    }
    for vector in vectors {
      for signature in (try? verify(vector.octets).get()) ?? [] {
        genuine.insert(Self.digests(signature))
      }
    }
    require(genuine.count > 5, "there are genuine signatures")
  }

  var seeds: [(name: String, octets: [UInt8])] { vectors.map { ($0.id, $0.octets) } }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    XMLMutator.mutate(octets, &random)
  }

  func cross(_ first: [UInt8], _ second: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    XMLMutator.cross(first, second, &random)
  }

  func exercise(_ octets: [UInt8]) {
    let first = verify(octets)
    let second = verify(octets)
    switch (first, second) {
    case (.success(let signatures), .success(let again)):
      require(signatures.count == again.count, "the second verdict is the first")
      require(!signatures.isEmpty, "accepted without a signature")
      for signature in signatures {
        require(genuine.contains(Self.digests(signature)), "accepted ⇒ a key holder signed this")
      }
    case (.failure(let error), .failure(let again)):
      require(error == again, "the second verdict is the first")
      ErrorHygiene.check(error, octets)
    default:
      fail("the second verdict is the first")
    }
  }

  private func verify(
    _ octets: [UInt8]
  ) -> Result<[DocumentSignatures.Verified], TokenError> {
    Result { () throws(TokenError) in
      let document = try Document(parsing: octets)
      return try DocumentSignatures.verify(
        document, identifiers: IdentifierIndex(document, .named(identifiers)), keys: keys, at: now,
        limits: Limits())
    }
  }

  /// The texts of the DigestValues that the signature covers, white space removed.
  private static func digests(_ verified: DocumentSignatures.Verified) -> [String] {
    let name = ExpandedName("DigestValue", in: "http://www.w3.org/2000/09/xmldsig#")
    guard let signedInfo = try? verified.signature.element.children().first else { return [] }
    return signedInfo.descendants(named: name).map { element in
      ((try? element.text()) ?? "").filter { !$0.isWhitespace }
    }
  }
}
