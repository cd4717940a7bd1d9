import Claims
import Federation
import SecurityKeys
import Octets
import TokenErrors

/// Writes a trust file for the entries of a capture.
struct TrustFileText {
  private let another: (String) -> String
  private let trust: Trust
  private let pinned: PinnedFormat?

  init(_ another: @escaping (String) -> String, _ trust: Trust, _ pinned: PinnedFormat?) {
    self.another = another
    self.trust = trust
    self.pinned = pinned
  }

  func text(
    _ entries: [TrustedIssuer], _ writer: inout KeyFileWriter
  ) throws(TokenError) -> [UInt8] {
    var described: [(entry: TrustedIssuer, name: String, keys: [String])] = []
    for entry in entries {
      guard case .exactly(let name) = entry.name else { continue }
      var keys: [String] = []
      for key in entry.keys { keys.append(try writer.specification(of: key)) }
      described.append((entry, another(name), keys))
    }
    var json = JSONWriter()
    json.object { json in
      json.name("skew")
      json.integer(trust.skew)
      json.name("issuers")
      json.array { json in
        for (entry, name, keys) in described {
          json.object { json in write(entry, name, keys, to: &json) }
        }
      }
    }
    json.endLine()
    return json.bytes
  }

  private func write(
    _ entry: TrustedIssuer, _ name: String, _ keys: [String], to json: inout JSONWriter
  ) {
    let first = entry.keys.first
    json.name("name")
    json.string(name)
    list("keys", keys, to: &json)
    list("formats", entry.formats.map(\.name).sorted(), to: &json)
    // The name of an exception may be that of an algorithm too, which would be the only one then.
    let allowed =
      first?.algorithms ?? SignatureAlgorithm.all.filter { LegacyException($0.name) == nil }
    if first?.algorithms != nil || !entry.exceptions.isEmpty {
      let names = Set(allowed.map(\.name) + entry.exceptions.map(\.name))
      list("algorithms", names.sorted(), to: &json)
    }
    if first?.certificateDates == .enforce {
      json.name("certificateDates")
      json.string("enforce")
    }
  }

  private func list(_ name: StaticString, _ texts: [String], to json: inout JSONWriter) {
    json.name(name)
    json.array { json in for text in texts { json.string(text) } }
  }
}
