extension Instant {
  /// Reads a date of HTTP (RFC 9110, 5.6.7) in any of its three forms: `Sun, 06 Nov 1994 08:49:37 GMT`, and those of
  /// RFC 850 and asctime. Nil for anything else.
  ///
  /// A year of two digits is the one that is not more than 50 years ahead of `now`.
  package init?(httpDate text: String, now: Instant) {
    var words = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    guard let day = words.first?.prefix(3), Self.days.contains(String(day)) else { return nil }
    words.removeFirst()
    // RFC 850 joins day, month and year.
    if let first = words.first, first.contains("-") {
      let parts = first.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3 else { return nil }
      words.replaceSubrange(0..<1, with: parts)
    }
    guard words.count == 4 || words.count == 5 else { return nil }
    // asctime: Nov 6 08:49:37 1994
    if words.count == 4 {
      words = [words[1], words[0], words[3], words[2], "GMT"]
    }
    guard words[4] == "GMT", let month = Self.months.firstIndex(of: words[1]),
      let date = Self.number(words[0]), var year = Self.number(words[2])
    else { return nil }
    if words[2].utf8.count == 2 {
      let current = Int(now.seconds / 31_556_952) + 1970
      year += current / 100 * 100
      if year > current + 50 { year -= 100 }
    }
    func padded(_ number: Int, _ length: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, length - digits.utf8.count)) + digits
    }
    let dateTime = "\(padded(year, 4))-\(padded(month + 1, 2))-\(padded(date, 2))T\(words[3])Z"
    guard words[3].utf8.count == 8, let instant = try? Instant(dateTime: dateTime) else {
      return nil
    }
    self = instant
  }

  private static let days: Set<String> = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ text: String) -> Int? {
    text.utf8.count <= 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}
