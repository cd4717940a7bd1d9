package import TokenBasics

/// Times as pages say them to a person.
package enum PageTime {
  /// Date and minute: `2026-11-21 05:00 UTC`.
  package static func minute(_ instant: Instant) -> String {
    let text = instant.rfc3339
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }

  /// The time of a day: `05:00:42 UTC`.
  package static func clock(_ instant: Instant) -> String {
    "\(instant.rfc3339.dropFirst(11).prefix(8)) UTC"
  }
}
