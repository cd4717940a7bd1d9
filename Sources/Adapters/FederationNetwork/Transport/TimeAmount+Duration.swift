#if Client
  import NIOCore

  extension TimeAmount {
    /// The same duration, clamped to the range of nanoseconds.
    init(_ duration: Duration) {
      let (seconds, attoseconds) = duration.components
      let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      self = .nanoseconds(
        overflow ? (seconds < 0 ? 0 : .max / 4) : nanoseconds + attoseconds / 1_000_000_000)
    }
  }
#endif
