import Instants

extension Instant {
  /// The time of that many milliseconds since 1970, Mobile Foundation's unit; nil outside years 1970 to 9999.
  init?(milliseconds: Int) {
    guard milliseconds >= 0, milliseconds / 1000 <= 253_402_300_799 else { return nil }
    self.init(
      secondsSinceEpoch: Int64(milliseconds / 1000),
      nanoseconds: Int32(milliseconds % 1000) * 1_000_000)
  }

  var millisecondsSinceEpoch: Int { Int(seconds) * 1000 + Int(nanoseconds) / 1_000_000 }
}
