import Instants

/// The validity of the certificate around a key, and the warning outside of it: written once, not for
/// each token, because some issuers sign with certificates that have expired.
struct KeyDates: Sendable {
  private let from: Instant
  private let to: Instant
  let text: String
  let warning: [String]

  init(from: Instant, to: Instant) {
    self.from = from
    self.to = to
    text = "\(from.rfc3339) to \(to.rfc3339)"
    warning = ["certificate: not valid now (\(text))"]
  }

  func contain(_ now: Instant) -> Bool { from <= now && now <= to }
}
