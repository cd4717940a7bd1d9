import CommandSupport

#if Server
  import HummingbirdFederation
#endif

/// `swift run --traits Server SignInSample`: a service with a sign-in, and an identity provider for it, on
/// loopback.
@main
enum SignInSample {
  static func main() async {
    let messages = CommandMessages(of: "SignInSample")
    #if Server
      do {
        try await serve()
      } catch {
        messages.end(
          CommandFailure(
            .usage, "\(error)",
            hint: "ports 8080 and 8081 of 127.0.0.1 have to be free; ss -ltnp shows who has them"))
      }
    #else
      messages.endWithout(trait: "Server")
    #endif
  }

  #if Server
    private static func serve() async throws {
      let provider = try DemoIdentityProvider()
      let metadata = try provider.metadata()
      print("open \(SampleService.address)/ in a browser; Ctrl-C ends it")
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await provider.run() }
        group.addTask { try await SampleService.run(metadata: metadata) }
        try await group.next()
        group.cancelAll()
      }
    }
  #endif
}
