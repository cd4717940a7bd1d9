import HTTPExchange
import Claims
import Instants
import Octets
import TokenErrors

// The plaintext of an encrypted store. It leaves this module only encrypted.
extension StoredCredentials {
  static let version = 1

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("version")
      writer.integer(Self.version)
      writer.name("sessions")
      writer.object { writer in
        for (name, session) in sessions.sorted(by: { $0.key < $1.key }) {
          writer.name(text: name)
          session.write(to: &writer)
        }
      }
      writer.name("choices")
      writer.strings(choices)
      writer.name("secrets")
      writer.strings(secrets.mapValues(\.revealed))
      writer.name("generations")
      writer.strings(generations.mapValues { "\($0)" })
      writer.name("renewals")
      writer.strings(renewals.mapValues { "\($0.until.rfc3339) \($0.owner)" })
    }
    return writer.bytes
  }

  /// - Throws: `session.store-version`, `input.json-*`.
  init(json: [UInt8]) throws(TokenError) {
    // Written by this module, so its number of members is not limited.
    var limits = Limits()
    limits.jsonMembers = .max
    let value = try JSONParser.parse(json, limits: limits)
    guard let version = value["version"]?.integer else { throw Self.malformed("version") }
    guard version <= Self.version else {
      throw TokenError(
        .sessionStoreVersion, expected: "\(Self.version) or less", found: "\(version)")
    }
    self.init()
    for (name, session) in try Self.member("sessions", of: value) {
      sessions[name] = try Session(json: session)
    }
    for (name, text) in try Self.member("choices", of: value) {
      choices[name] = try Self.string(text, name)
    }
    for (name, text) in try Self.member("secrets", of: value) {
      secrets[name] = Secret(try Self.string(text, name))
    }
    // Earlier releases wrote neither.
    for (name, text) in value["generations"]?.members ?? [] {
      guard let number = Int(try Self.string(text, name)) else { throw Self.malformed(name) }
      generations[name] = number
    }
    for (name, text) in value["renewals"]?.members ?? [] {
      let words = try Self.string(text, name).split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { throw Self.malformed(name) }
      renewals[name] = RenewalTurn(
        owner: String(words[1]), until: try Instant(dateTime: String(words[0])))
    }
  }

  static func member(
    _ name: String, of value: JSONValue
  ) throws(TokenError) -> [(name: String, value: JSONValue)] {
    guard let members = value[name]?.members else { throw malformed(name) }
    return members
  }

  static func string(_ value: JSONValue?, _ name: String) throws(TokenError) -> String {
    guard let text = value?.string else { throw malformed(name) }
    return text
  }

  static func malformed(_ name: String) -> TokenError { TokenError(.jsonMember, node: name) }
}

extension JSONWriter {
  mutating func strings(_ values: [String: String]) {
    object { writer in
      for (name, text) in values.sorted(by: { $0.key < $1.key }) {
        writer.name(text: name)
        writer.string(text)
      }
    }
  }
}
