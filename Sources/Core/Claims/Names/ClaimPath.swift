import Octets
import TokenBasics

/// A way into a claim whose value is a JSON object: the member of the token, and the members inside of it, such as
/// `realm_access`, `roles`.
package struct ClaimPath: Sendable {
  /// The possible readings, each with the names of its members: a dotted text has several, as names may have dots.
  private let members: [String]
  private let isDotted: Bool

  /// The path that a type in a configuration writes: an array of names as its JSON text, or names with dots between them;
  /// nil for a type that is neither, such as a URI.
  package init?(_ type: ClaimType) {
    if type.name.utf8.first == UInt8(ascii: "["),
      let list = (try? JSONParser.parse(Array(type.name.utf8)))?.array
    {
      members = list.compactMap(\.string)
      isDotted = false
      guard members.count == list.count, members.count > 1 else { return nil }
      return
    }
    guard !type.name.utf8.contains(where: { ":/".utf8.contains($0) }) else { return nil }
    members = type.name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    isDotted = true
    guard members.count > 1 else { return nil }
  }

  /// The type that stands for an array of names; nil for fewer than two.
  package static func type(_ members: [String]) -> ClaimType? {
    guard members.count > 1 else { return nil }
    var json = JSONWriter()
    json.array { json in for member in members { json.string(member) } }
    return ClaimType(String(decoding: json.bytes, as: UTF8.self))
  }

  /// The types of the claims in which the place can be.
  package var roots: [ClaimType] {
    (isDotted ? Array(1..<members.count) : [1]).map {
      ClaimType(members[..<$0].joined(separator: "."))
    }
  }

  /// The values at the place, as a claim of the token would have them; empty where there is none.
  package func values(in claims: ClaimSet) -> [String] {
    for length in isDotted ? Array(1..<members.count) : [1] {
      let name = members[..<length].joined(separator: ".")
      for text in claims[ClaimType(name)] where text.utf8.first == UInt8(ascii: "{") {
        let octets = Array(text.utf8)
        guard let object = try? JSONParser.parse(octets) else { continue }
        let found = values(in: object, members[length...], octets)
        if !found.isEmpty { return found }
      }
    }
    return []
  }

  private func values(
    in json: JSONValue, _ rest: ArraySlice<String>, _ octets: [UInt8]
  ) -> [String] {
    guard !rest.isEmpty else { return Self.values(of: json, octets) }
    for length in isDotted ? Array(1...rest.count) : [1] {
      guard let inner = json[rest.prefix(length).joined(separator: ".")] else { continue }
      let found = values(in: inner, rest.dropFirst(length), octets)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// An array gives its elements, `null` nothing, and what is no string its JSON text.
  private static func values(of json: JSONValue, _ octets: [UInt8]) -> [String] {
    (json.array ?? [json]).compactMap { value in
      if case .null = value.kind { return nil }
      return value.string
        ?? String(decoding: octets[value.range.clamped(to: octets.indices)], as: UTF8.self)
    }
  }
}

extension ClaimSet {
  /// The values of a type as a configuration names it: of the claims of that type or, where there is none, of the nested
  /// members to which the name is a path.
  package func values(namedBy type: ClaimType) -> [String] {
    let values = self[type]
    return values.isEmpty ? ClaimPath(type)?.values(in: self) ?? [] : values
  }
}
