#if Client
  import FederationClient
  import FederationNetwork
  import Foundation
  import HTTPExchange
  import Logging
  import TestSupport
  import Testing
  import TokenBasics

  /// Leaks a secret for `Tests/Secrets/search.py --self-check`, which must find it.
  @Suite(
    "A planted secret",
    .enabled(if: ProcessInfo.processInfo.environment["SECRECY_PLANT"] != nil))
  struct PlantedSecretTests {
    @Test("A secret in a log, an error, a description and the output is noted by the search")
    func planted() async throws {
      let secret = try #require(ProcessInfo.processInfo.environment["SECRECY_PLANT"])
      #expect(Secrecy.isOn)
      Secrecy.hide(secret)
      let evidence = Evidence()
      evidence.observer.happened(Activity("planted", [("secret", secret)]))
      evidence.add(["secret": secret])
      Secrecy.see(error: TokenError(.clientParameter, found: secret))
      print(secret)
    }
  }
#endif
