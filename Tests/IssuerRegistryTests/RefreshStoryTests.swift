import IssuerRegistry
import RegistryTesting
import Testing

@Suite("Metadata is refreshed under faults")
struct RefreshStoryTests {
  @Test("Every fault leaves valid keys in use until they expire (META-13, META-14, META-15)")
  func story() async throws {
    let server = try ScriptedServer()
    let lines = try await RefreshStory(server, over: server).tell()
    #expect(lines.count == ServedMetadata.faults.count + 8)
    print(lines.joined(separator: "\n"))
  }

  @Test("A refresh that meets a fault costs microseconds when no time has to pass")
  func cost() async throws {
    let server = try ScriptedServer()
    let story = try RefreshStory(server, over: server)
    try await story.meet(.current)
    for served in [ServedMetadata.notModified, .serverError, .slow, .forged, .current] {
      server.serve(served)
      let elapsed = await ContinuousClock().measure {
        for _ in 0..<200 { await story.registry.refresh() }
      }
      print("\(served): \((elapsed / 200).components.attoseconds / 1_000_000_000_000) µs a refresh")
    }
    #expect(try story.health.status == .good)
    #expect(server.conditions.count == 1001)
  }
}
