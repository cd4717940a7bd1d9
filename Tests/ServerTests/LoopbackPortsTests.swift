#if Server
  import FederationNetwork
  import HTTPExchange
  import Testing
  import TokenBasics

  @Suite("Free ports on loopback")
  struct LoopbackPortsTests {
    @Test("Those that the system chooses are different, and can be had again at once")
    func free() async throws {
      let ports = try await LoopbackPorts.free([0, 0, 0])
      #expect(Set(ports).count == 3 && ports.allSatisfy { $0 > 0 })
      #expect(try await LoopbackPorts.free(ports) == ports)
    }

    @Test("A port at which something listens is refused")
    func taken() async throws {
      let listener = LoopbackListener()
      let address = try await listener.open()
      await #expect(throws: TokenError(.transportUnreachable)) {
        try await LoopbackPorts.free([0, address.origin.port])
      }
      await listener.close()
      #expect(try await LoopbackPorts.free([address.origin.port]) == [address.origin.port])
    }
  }
#endif
