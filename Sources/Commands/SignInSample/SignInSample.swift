#if Server
  import HummingbirdFederation
#endif

/// `swift run --traits Server SignInSample`: a service with a sign-in, and an identity provider for it, on
/// loopback.
@main
enum SignInSample {
  static func main() async throws {
    #if Server
      let provider = try DemoIdentityProvider()
      let metadata = try provider.metadata()
      print("open \(SampleService.address)/ in a browser; Ctrl-C ends it")
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await provider.run() }
        group.addTask { try await SampleService.run(metadata: metadata) }
        try await group.next()
        group.cancelAll()
      }
    #else
      print("the sample needs trait Server: swift run --traits Server SignInSample")
    #endif
  }
}
