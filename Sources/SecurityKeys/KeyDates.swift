import Instants

/// When the certificate around a key is valid, and what to say when it is not: written once, not for
/// each token, because issuers do sign on with certificates that have run out.
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
