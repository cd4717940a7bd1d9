#if Client
  import InMemoryTracing
  import TestSupport
  import Tracing

  /// The tracer in memory with the header of W3C Trace Context in place of its own two.
  struct W3CTracer: Tracer {
    private let inner: InMemoryTracer

    init(_ inner: InMemoryTracer) { self.inner = inner }

    /// Identifiers as long as the header's.
    static var identifiers: InMemoryTracer.IDGenerator {
      let count = Mutexed(0)
      @Sendable func next(_ length: Int) -> String {
        let number = count.withLock {
          $0 += 1
          return String($0, radix: 16)
        }
        return String(repeating: "0", count: length - number.utf8.count) + number
      }
      return .init(nextTraceID: { next(32) }, nextSpanID: { next(16) })
    }

    func startSpan<Instant: TracerInstant>(
      _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
      at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> InMemorySpan {
      inner.startSpan(
        operationName, context: context(), ofKind: kind, at: instant(), function: function,
        file: fileID, line: line)
    }

    func forceFlush() { inner.forceFlush() }

    func extract<Carrier, Extract: Extractor>(
      _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
      let parts = extractor.extract(key: "traceparent", from: carrier)?.split(separator: "-") ?? []
      guard parts.count == 4 else { return }
      let own = [
        InMemoryTracer.traceIDKey: String(parts[1]), InMemoryTracer.spanIDKey: String(parts[2]),
      ]
      inner.extract(own, into: &context, using: OwnKeys())
    }

    func inject<Carrier, Inject: Injector>(
      _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
      guard let span = context.inMemorySpanContext else { return }
      injector.inject(
        "00-\(span.traceID)-\(span.spanID)-01", forKey: "traceparent", into: &carrier)
    }

    private struct OwnKeys: Extractor {
      func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
    }
  }
#endif
