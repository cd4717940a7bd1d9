public import Federation

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Instant {
  /// The instant of a `Date`, rounded down to the microsecond and clamped to the years 1 to 9999. A
  /// date that is not a number is the first instant of year 1, at which no token is valid.
  public init(_ date: Date) {
    let time = date.timeIntervalSince1970
    let whole = time.rounded(.down)
    guard let seconds = Int64(exactly: whole) else {
      self.init(secondsSinceEpoch: time > 0 ? .max : .min)
      return
    }
    // The resolution of a current Date is between a nanosecond and a microsecond.
    let microseconds = Int32(((time - whole) * 1_000_000).rounded(.down))
    self.init(secondsSinceEpoch: seconds, nanoseconds: microseconds * 1000)
  }

  /// The instant as a `Date`.
  public var date: Date {
    Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000)
  }
}
