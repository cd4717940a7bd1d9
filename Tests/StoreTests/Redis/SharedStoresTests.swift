#if Redis && Server
  import CommandServer
  import LocalFiles
  import HTTPExchange
  import RedisStores
  import SignIn
  import Testing

  @Suite("Stores that nodes share, as a file names them")
  struct SharedStoresTests {
    private struct Folder: ConfigurationFolder {
      let path = "/nonexistent/gate.json"
      static var valueCode: TokenError.Code { .storeAddress }
    }

    private static func stores(_ address: RedisAddress, _ key: UInt8) throws -> SharedStores {
      try SharedStores(
        SharedStoreConfiguration(address), Folder(),
        origin: HTTPURL("https://app.example/").origin,
        sealing: [[UInt8](repeating: key, count: 32)], lifetime: 600, idle: 60)
    }

    @Test(
      "A check asks what is used up and whose sessions there are: a node with other keys is told so",
      .enabled(if: RedisProcess.program != nil))
    func checks() async throws {
      try await RedisProcess.serving { settings in
        let now = SystemTime().now
        let one = try Self.stores(settings.address, 1)
        try await one.check(at: now)
        try await one.check(at: now)
        let other = try Self.stores(settings.address, 2)
        let error = await #expect(throws: TokenError.self) { try await other.check(at: now) }
        #expect(error?.code == .storeOtherKeys)
      }
    }
  }
#endif
