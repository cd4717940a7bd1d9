import HTTPExchange
import SignIn
import TestSupport
import Testing

@Suite("Dependencies in health and metrics")
struct DependencyHealthTests {
  private func dependencies(
    _ kind: Dependency.Kind, _ transport: ScriptedTransport
  ) async throws -> Dependencies {
    let dependencies = Dependencies(clock: ManualTime())
    let boundary = dependencies.boundary(kind, "sick", over: transport)
    let request = HTTPRequest(.get, try HTTPURL("https://idp.example/token"))
    for _ in 0..<6 { _ = try? await boundary.response(to: request) }
    return dependencies
  }

  private func report(_ dependencies: Dependencies) async -> SiteHealth.Report {
    await SiteHealth(
      providers: [], dependencies: dependencies, probe: { (_) throws(TokenError) in },
      storeCheck: { (_) throws(TokenError) in nil }
    ).report(at: ManualTime().now)
  }

  @Test("A server that answers with errors is a warning with its name")
  func errors() async throws {
    let dependencies = try await dependencies(
      .introspection, ScriptedTransport { _ in HTTPResponse(status: 500) })
    let report = await report(dependencies)
    #expect(report.problems.isEmpty)
    #expect(
      report.warnings.contains { $0.hasPrefix(#"introspection "sick": 6 calls in a row failed"#) })
    var written = MetricText()
    DependencyMetrics.write(dependencies.reports, prefix: "gate", to: &written)
    let metrics = written.text
    #expect(
      metrics.contains(
        "gate_dependency_calls_total{kind=\"introspection\",name=\"sick\",outcome=\"5xx\"} 6\n"))
  }

  @Test("The only server of a gate for tokens that gives no answer is a problem")
  func away() async throws {
    let dependencies = try await dependencies(
      .introspection,
      ScriptedTransport { (_) throws(TokenError) in throw TokenError(.transportTimeout) })
    #expect(await report(dependencies).problems.count == 1)
  }

  @Test("A server that answers is neither")
  func well() async throws {
    let dependencies = try await dependencies(
      .introspection, ScriptedTransport { _ in HTTPResponse(status: 200) })
    let report = await report(dependencies)
    #expect(report.problems.isEmpty && report.warnings.isEmpty)
  }
}
