import HTTPExchange
import Testing

@Suite("The trace that a request belongs to")
struct TraceContextTests {
  private static let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  @Test("It is read as W3C Trace Context writes it, also of later versions")
  func reads() throws {
    let context = try #require(TraceContext(HTTPFields([("Traceparent", Self.good)])))
    #expect(context.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
    #expect(context.parentID == "00f067aa0ba902b7")
    #expect(
      TraceContext(try HTTPFields([("traceparent", "cc" + Self.good.dropFirst(2) + "-what")]))
        != nil)
  }

  @Test(
    "What is malformed starts no trace",
    arguments: [
      "", "00", String(good.dropLast()), good + "0", good + "-x", good.uppercased(),
      "ff" + good.dropFirst(2), "cc" + good.dropFirst(2).dropLast(3),
      "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
      "00-4bf92f3577b34da6a3ce929d0e0e473 -00f067aa0ba902b7-01",
    ])
  func malformed(text: String) throws {
    #expect(TraceContext(try HTTPFields([("traceparent", text)])) == nil)
  }

  @Test("None, or two, is none")
  func count() throws {
    #expect(TraceContext(HTTPFields()) == nil)
    #expect(
      TraceContext(try HTTPFields([("traceparent", Self.good), ("traceparent", Self.good)])) == nil)
  }
}
