import Federation
import SecurityKeys
import TestSupport
import Testing
import XMLSecurity
import XMLTree

@Suite("Vectors that other programs made")
struct VectorTests {
  @Test("The manifest is there")
  func manifest() {
    #expect(TestVector.all.count > 700)
  }

  @Test(
    "A genuine token is accepted with exactly its claims",
    arguments: TestVector.of("swt", "jwt", "sdjwt", "saml20", "saml11", "rstr").filter(\.accepts))
  func accepts(vector: TestVector) throws {
    let verified = try vector.report(on: vector.token).get()
    let claims = Dictionary(
      uniqueKeysWithValues: verified.claims.grouped.map { ($0.type.name, $0.values) })
    #expect(claims == vector.claims)
    #expect(verified.facts.issuer == vector.issuer)
    #expect(verified.facts.subject == vector.subject)
    #expect(verified.facts.tokenID == vector.tokenID)
    #expect(verified.claims.allSatisfy { $0.issuer == vector.issuer })
  }

  @Test(
    "A bad token is refused for its one reason",
    arguments: TestVector.of("swt", "jwt", "sdjwt", "saml20", "saml11", "rstr").filter {
      !$0.accepts
    })
  func refuses(vector: TestVector) throws {
    let code = try #require(TokenError.Code.validationCodes.first { $0.rawValue == vector.code })
    #expect(throws: TokenError(code)) { try vector.report(on: vector.token).get() }
  }

  @Test(
    "Validating twice, with and without details, gives the same verdict",
    arguments: TestVector.of("swt", "jwt", "sdjwt", "saml20", "saml11", "rstr"))
  func repeats(vector: TestVector) throws {
    let trust = try vector.trust()
    guard
      let token = try? AnyToken(
        reading: vector.token, as: vector.pin)
    else { return }
    let now = try Instant(dateTime: vector.at ?? "2030-01-01T12:00:00Z")
    let expected = Expectations(
      recipient: vector.recipient, inResponseTo: vector.inResponseTo,
      keyBinding: vector.keyBinding.map { KeyBindingDemand(audience: $0, nonce: vector.nonce) })
    let validator = TokenValidator<AnyToken>(trust)
    let detailed = validator.report(on: token, at: now, expecting: expected).result
    let plain = Result { try validator.validate(token, at: now, expecting: expected) }
    #expect((try? detailed.get().claims) == (try? plain.get().claims))
    if case .failure(let error) = detailed {
      #expect(throws: error) { try plain.get() }
    }
  }

  @Test("An XML Signature has the verdict of the manifest", arguments: TestVector.of("xmldsig"))
  func signatures(vector: TestVector) throws {
    let verdict = Result<Int, any Error> {
      var keys: [TrustedKey] = []
      for specification in vector.keys {
        keys.append(
          TrustedKey(
            try KeySpecification.key(specification, files: VectorFiles()),
            exceptions: Set(vector.allowed.compactMap { LegacyException($0) })))
      }
      let document = try Document(parsing: vector.octets)
      return try DocumentSignatures.verify(
        document, identifiers: IdentifierIndex(document, .named(vector.identifiers)),
        keys: KeyRing(keys), at: Instant(dateTime: "2030-01-01T12:00:00Z"), limits: Limits()
      ).count
    }
    if vector.accepts {
      #expect(try verdict.get() > 0)
    } else {
      let code = try #require(TokenError.Code.validationCodes.first { $0.rawValue == vector.code })
      #expect(throws: TokenError(code)) { try verdict.get() }
    }
  }

  @Test("A document has the canonical form that libxml2 gives it", arguments: TestVector.of("c14n"))
  func canonicalization(vector: TestVector) throws {
    let document = try Document(parsing: vector.octets)
    let algorithm: CanonicalizationMethod.Algorithm =
      switch vector.method {
      case "c14n": .inclusive10
      case "c14n11": .inclusive11
      default: .exclusive
      }
    let method = CanonicalizationMethod(
      algorithm, withComments: vector.withComments,
      inclusivePrefixes: vector.inclusivePrefixes.split(separator: " ").map(String.init))
    var subtree = document.subtree
    if let id = vector.elementID {
      let index = try IdentifierIndex(document, .named([]))
      subtree = try #require(index.element(id.utf8, in: document)).subtree
    }
    let octets = Canonicalizer.octets(subtree, method)
    #expect(
      String(decoding: octets, as: UTF8.self) == String(decoding: vector.expected, as: UTF8.self))
  }
}
