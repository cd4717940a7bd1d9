package import HTTPExchange
import JSONWebTokens
package import TokenBasics

/// Writes a trust file anew, with the keys that its addresses have now (`claims trust fetch`): what fetches nothing can use
/// it then. No secret is written: a set's secrets and private members are left out, and so is what the file itself has of
/// them.
package struct TrustFileFetch: Sendable {
  /// What came of one issuer.
  package struct Note: Sendable {
    /// Where that leaves it.
    package enum Outcome: Sendable {
      /// It is in the new file.
      case written
      /// It has nothing that the new file could have, and is not in it.
      case leftOut
      /// Its keys could not be fetched, and it is not in the new file.
      case failed(TokenError)
    }

    /// The issuer.
    package let issuer: String
    /// What is to be said of it.
    package let text: String
    /// Where that leaves it.
    package let outcome: Outcome
  }

  /// The new file.
  package private(set) var document: [UInt8] = []
  /// What came of each issuer that is not as it was, in the order of the file.
  package private(set) var notes: [Note] = []
  /// How many issuers the new file has.
  package private(set) var issuers = 0

  private let transport: any HTTPTransport
  private let octets: [UInt8]

  /// Fetches the keys of a file, of which it is known that it is a trust file without an error.
  ///
  /// - Parameters:
  ///   - octets: The file.
  ///   - transport: Fetches.
  /// - Throws: `input.json-*`.
  package init(
    _ octets: [UInt8], over transport: any HTTPTransport
  ) async throws(TokenError) {
    self.transport = transport
    self.octets = octets
    let json = try JSONParser.parse(octets)
    var entries: [[UInt8]] = []
    for issuer in json["issuers"]?.array ?? [] {
      if let entry = await entry(issuer) { entries.append(entry) }
    }
    issuers = entries.count
    document =
      Self.object(
        (json.members ?? []).map { name, value in
          (name, name == "issuers" ? Self.list(entries, indent: "  ") : written(value))
        }, separator: ",\n ") + Array("\n".utf8)
  }

  /// An issuer as it is written; nil for one that is left out.
  private mutating func entry(_ json: JSONValue) async -> [UInt8]? {
    let name = json["name"]?.string ?? json["metadata"]?.string ?? ""
    let sources = RemoteIssuer.members
    if json["introspection"] != nil {
      leaveOut(name, "it is asked about each token, so that it has no keys")
      return nil
    }
    guard sources.contains(where: { json[$0] != nil }) else { return withoutSecrets(json, name) }
    do throws(TokenError) {
      let (address, keys) = try await keys(of: json, name)
      notes.append(
        Note(issuer: name, text: "\(keys.count) keys of \(address)", outcome: .written))
      var members = (json.members ?? []).filter { !sources.contains($0.name) }.map {
        ($0.name, written($0.value))
      }
      members.append(("keys", Self.list(keys, indent: "   ")))
      return Self.object(members, separator: ", ")
    } catch {
      notes.append(
        Note(issuer: name, text: "its keys cannot be fetched", outcome: .failed(error)))
      return nil
    }
  }

  /// An issuer with its keys in the file, but for secrets that stand in it.
  private mutating func withoutSecrets(_ json: JSONValue, _ name: String) -> [UInt8]? {
    guard let keys = json["keys"]?.array else { return written(json) }
    let kept = keys.filter { !($0.string?.utf8.starts(with: "hmac:".utf8) ?? false) }
    guard kept.count < keys.count else { return written(json) }
    guard !kept.isEmpty else {
      leaveOut(name, "its only key is a secret, which is not written")
      return nil
    }
    notes.append(
      Note(issuer: name, text: "a secret among its keys is left out", outcome: .written))
    return Self.object(
      (json.members ?? []).map { member, value in
        (member, member == "keys" ? Self.list(kept.map(written), indent: "   ") : written(value))
      }, separator: ", ")
  }

  private mutating func leaveOut(_ name: String, _ text: String) {
    notes.append(Note(issuer: name, text: text, outcome: .leftOut))
  }

  /// The keys at an issuer's address, each as a JWK with its public members, and the address.
  private func keys(
    of json: JSONValue, _ name: String
  ) async throws(TokenError) -> (address: String, keys: [[UInt8]]) {
    let address: HTTPURL
    if let text = json["keysAt"]?.string {
      address = try HTTPURL(text)
    } else {
      let answer = OpenIDAnswer(source: try OpenIDSource(issuer: name))
      let response = try await transport.response(to: answer.discoveryRequest())
      address = try answer.configuration(from: response).keySetAddress
    }
    let octets = try await FetchedDocument.keySetDocument(at: address, over: transport).octets
    do throws(TokenError) {
      return (address.description, try JSONWebKeySet.publicKeys(in: octets))
    } catch {
      throw error.within(address.description)
    }
  }

  // MARK: Writing

  /// A value as the file has it.
  private func written(_ json: JSONValue) -> [UInt8] {
    Array(octets[json.range.clamped(to: octets.indices)])
  }

  private static func object(
    _ members: [(name: String, value: [UInt8])], separator: String
  ) -> [UInt8] {
    var text: [UInt8] = Array("{".utf8)
    for (number, member) in members.enumerated() {
      if number > 0 { text += Array(separator.utf8) }
      var name = JSONWriter()
      name.string(member.name)
      text += name.bytes + Array(": ".utf8) + member.value
    }
    return text + Array("}".utf8)
  }

  private static func list(_ items: [[UInt8]], indent: String) -> [UInt8] {
    guard !items.isEmpty else { return Array("[]".utf8) }
    let separator = Array((",\n" + indent).utf8)
    return Array(("[\n" + indent).utf8) + Array(items.joined(separator: separator))
      + Array("]".utf8)
  }
}
