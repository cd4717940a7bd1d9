import Foundation
import IssuerRegistry
import RegistryTesting
import TestSupport
import Testing

@testable import ArticleExamples

@Suite("The article on trust that is kept current")
struct KeepTrustCurrentTests {
  @Test("Without its trust file the example reports that")
  func exampleRuns() async throws {
    let signer = try VerificationKey(pemOrDER: TestVector.bytes("keys/other-rsa.crt"))
    let registry = try registry(signer: signer, over: ScriptedServer())
    await #expect(throws: TokenError(.registryUnreadableFile)) {
      try await validator(by: registry, at: Instant(secondsSinceEpoch: 1_893_499_200))
    }
  }
}
