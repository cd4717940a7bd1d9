import Foundation
import IssuerRegistry
import RegistryTesting
import TestSupport
import Testing

@Suite("The registry of docs/registries.md")
struct RegistryPageTests {
  @Test("The example of the page is the one that compiles here")
  func example() throws {
    let text = { (path: String) in
      try String(contentsOf: TestVector.packageRoot.appending(path: path), encoding: .utf8)
    }
    let example = try text("Tests/IssuerRegistryTests/RegistryPageExample.swift")
    #expect(try text("docs/registries.md").contains(example.trimmingCharacters(in: .newlines)))
  }

  @Test("Without its trust file the example reports that")
  func exampleRuns() async throws {
    let signer = try VerificationKey(pemOrDER: TestVector.bytes("keys/other-rsa.crt"))
    let registry = try registry(signer: signer, over: ScriptedServer())
    await #expect(throws: TokenError(.registryUnreadableFile)) {
      try await validator(by: registry, at: Instant(secondsSinceEpoch: 1_893_499_200))
    }
  }
}
