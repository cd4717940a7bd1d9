import Federation
import TestSupport
import Testing
import TokenMutation

@testable import ArticleExamples

@Suite("The article on fuzzing")
struct BadVariantsTests {
  private let now = Instant(secondsSinceEpoch: 1_893_499_200)
  private let good = TestVector.bytes("saml20/response-assertion-signed.xml")

  private func trust() throws -> Trust {
    try TrustFile(parsing: TestVector.bytes("trust.json"), files: VectorFiles()).get()
  }

  @Test("An endpoint that validates lets no variant through")
  func validating() async throws {
    let validator = TokenValidator<AnyToken>(try trust())
    let key = try PrivateKey(pemOrDER: TestVector.bytes("keys/idp-rsa.key"))
    let faults = try await letThrough(
      good, recipient: "https://rp.example/acs", key: .privateKey(key), at: now
    ) { octets in
      guard let token = try? AnyToken(reading: octets) else { return false }
      let expected = Expectations(recipient: "https://rp.example/acs")
      return (try? validator.validate(token, at: now, expecting: expected)) != nil
    }
    #expect(faults == [])
  }

  @Test("An endpoint that reads without validating is found out")
  func reading() async throws {
    let faults = try await letThrough(good, recipient: nil, key: nil, at: now) { octets in
      (try? AnyToken(reading: octets)) != nil
    }
    #expect(faults.count > 100)
    #expect(faults.contains { $0.contains("signature.missing") })
  }
}
