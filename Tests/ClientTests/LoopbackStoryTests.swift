#if Client
  import FederationNetwork
  import IssuerRegistry
  import RegistryTesting
  import TestSupport
  import Testing

  @Suite("Metadata is refreshed under faults, over sockets")
  struct LoopbackStoryTests {
    @Test("Every fault leaves valid keys in use until they expire (META-13, RP-2, RP-6, DOS-24)")
    func story() async throws {
      let server = try await LoopbackMetadata()
      let transport = try AsyncHTTPClientTransport()
      let story = try RefreshStory(server, over: transport, timeout: .seconds(4))
      let lines = try await story.tell()
      #expect(lines.count == ServedMetadata.faults.count + 8)
      print(lines.joined(separator: "\n"))

      // RP-2: the redirect was not followed.
      #expect(server.other.requests.isEmpty)
      // Of twice 200 MB the system accepted what fits into its buffers.
      #expect(server.server.sent < 40_000_000)
      print("200 MB twice: \(server.server.sent) bytes left the server")
      // One request per refresh: nothing is retried, and compression is never requested.
      #expect(server.server.requests.allSatisfy { $0.contains("Accept-Encoding: identity\r\n") })
      try await server.server.stop()
      try await server.other.stop()
      await transport.shutdown()
    }
  }
#endif
