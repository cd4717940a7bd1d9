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

  @Test("It is written in version 00, with the one flag that this version knows")
  func writes() throws {
    for (flags, written) in [("01", "01"), ("00", "00"), ("03", "01"), ("fe", "00")] {
      let text = Self.good.dropLast(2) + flags
      let context = try #require(TraceContext(HTTPFields([("traceparent", String(text))])))
      #expect(context.text == Self.good.dropLast(2) + written)
    }
    let later = try #require(
      TraceContext(HTTPFields([("traceparent", "cc" + Self.good.dropFirst(2) + "-what")])))
    #expect(later.text == Self.good)
  }

  @Test("A request that is sent carries it on, without tracestate; one that names a trace keeps it")
  func sent() throws {
    var request = HTTPRequest(.get, try HTTPURL("https://idp.example/keys"))
    #expect(request.sentFields.list.isEmpty)
    let asked = WebRequest(
      method: "GET",
      fields: try HTTPFields([("traceparent", Self.good), ("tracestate", "vendor=secret")]))
    let trace = try #require(TraceContext(asked.fields))
    try TraceContext.$current.withValue(trace) {
      #expect(request.sentFields.list.map { "\($0)=\($1)" } == ["traceparent=" + Self.good])
      let other = "00-4bf92f3577b34da6a3ce929d0e0e4737-00f067aa0ba902b7-00"
      try request.fields.append("Traceparent", other)
      #expect(request.sentFields.values("traceparent") == [other])
    }
  }

  @Test("A request that is answered is in its trace, and another one in none")
  func answered() async throws {
    let asked = WebRequest(method: "GET", fields: try HTTPFields([("traceparent", Self.good)]))
    #expect(await asked.traced { TraceContext.current?.text } == Self.good)
    #expect(await WebRequest(method: "GET").traced { TraceContext.current?.text } == nil)
  }

  @Test("None, or two, is none")
  func count() throws {
    #expect(TraceContext(HTTPFields()) == nil)
    #expect(
      TraceContext(try HTTPFields([("traceparent", Self.good), ("traceparent", Self.good)])) == nil)
  }
}
