import FederationClient
import Testing

@Suite("Secrets")
struct SecretTests {
  @Test("RP-9 A secret shows itself only when asked by name")
  func redacts() {
    let secret = Secret("sesame")
    var dumped = ""
    dump([secret], to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), dumped] {
      #expect(!text.contains("sesame"))
    }
    #expect(secret.revealed == "sesame")
  }
}
