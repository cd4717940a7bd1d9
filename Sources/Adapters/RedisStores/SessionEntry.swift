import Instants

/// A session in an index: the digest of its identifier, and since when it is there by the server's clock.
struct SessionEntry {
  /// The digest of the identifier: 32 octets.
  let digest: [UInt8]
  /// Seconds since the epoch; 0 in entries of earlier releases.
  private let since: Int64

  init(_ digest: [UInt8], at time: Instant) {
    self.digest = digest
    since = time.seconds
  }

  /// Reads what ``octets`` wrote.
  init(_ octets: [UInt8]) {
    digest = Array(octets.prefix(32))
    since = octets.dropFirst(32).prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
  }

  var octets: [UInt8] {
    digest + (0..<8).reversed().map { UInt8(truncatingIfNeeded: since >> (8 * $0)) }
  }

  /// Whether its session is there, or gone. The entry is written before the session, by far less than half a minute.
  func isSettled(at time: Instant) -> Bool { !(0...30).contains(time.seconds &- since) }
}
