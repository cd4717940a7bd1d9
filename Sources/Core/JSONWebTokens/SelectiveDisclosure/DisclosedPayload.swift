import Octets
import SecurityKeys
import TokenBasics

/// The payload of an SD-JWT with what is disclosed in its place (RFC 9901, 7.1): each disclosure is referred to exactly
/// once, at any depth; digests without a disclosure are decoys or withheld, and left out.
struct DisclosedPayload {
  /// JSON text.
  let text: [UInt8]
  /// The origin of each member of the outermost object, one for each element of an array that is not `null`, and one
  /// for anything else. By the name in UTF-8.
  let origins: [OctetKey: [ClaimOrigin]]
  /// The digest that the payload names (`_sd_alg`).
  let algorithm: DigestAlgorithm

  /// - Parameters:
  ///   - payload: The decoded payload.
  ///   - disclosures: As received, without the separators.
  /// - Throws: `input.json-*`, `disclosure.*`.
  init(
    _ payload: [UInt8], _ disclosures: [ArraySlice<UInt8>], _ limits: Limits
  ) throws(TokenError) {
    let json = try JSONParser.parse(payload, limits: limits)
    guard let members = json.members else {
      throw TokenError(
        .jsonMember, node: "payload", expected: "an object", found: json.kindName)
    }
    algorithm = try Self.algorithm(json[Self.algorithmName])
    var known: [OctetKey: Disclosure] = [:]
    known.reserveCapacity(disclosures.count)
    for (place, text) in disclosures.enumerated() {
      let disclosure = try Disclosure(text, algorithm, limits, place: place + 1)
      guard known.updateValue(disclosure, forKey: OctetKey(disclosure.digest)) == nil else {
        throw TokenError(.repeatedDisclosure, node: "disclosure \(place + 1)")
      }
    }
    var expansion = Expansion(known, limits)
    let outermost = members.filter { !$0.name.hasSameBytes(as: Self.algorithmName) }
    let object = try expansion.object(outermost, in: payload, depth: 0)
    guard expansion.unused.isEmpty else {
      throw TokenError(
        .unreferencedDisclosure,
        expected: "\(disclosures.count - expansion.unused.count) disclosures",
        found: "\(disclosures.count)")
    }
    text = object.text
    var origins: [OctetKey: [ClaimOrigin]] = [:]
    origins.reserveCapacity(object.members.count)
    for member in object.members { origins[member.name] = member.origins }
    self.origins = origins
  }

  private static let algorithmName = "_sd_alg"

  /// The hash of RFC 9901, 4.1.1, by its name in IANA's registry.
  ///
  /// - Throws: `disclosure.algorithm`.
  private static func algorithm(_ name: JSONValue?) throws(TokenError) -> DigestAlgorithm {
    guard let name else { return .sha256 }
    let known: [(String, DigestAlgorithm)] = [
      ("sha-256", .sha256), ("sha-384", .sha384), ("sha-512", .sha512),
    ]
    guard let text = name.string, let found = known.first(where: { text.hasSameBytes(as: $0.0) })
    else {
      throw TokenError(
        .disclosureAlgorithm, node: algorithmName,
        expected: known.map(\.0).joined(separator: ", "),
        found: name.string.map { TokenError.excerpt($0) } ?? name.kindName)
    }
    return found.1
  }
}

/// Puts disclosures in the place of their digests.
private struct Expansion {
  /// JSON text, and whether all or some of it was disclosed.
  struct Value {
    var text: [UInt8]
    var hasDisclosed = false
  }

  struct Member {
    let name: OctetKey
    let origins: [ClaimOrigin]
  }

  private let limits: Limits
  private var seen: Set<OctetKey> = []
  /// The disclosures that were not put in yet.
  private(set) var unused: [OctetKey: Disclosure]

  init(_ known: [OctetKey: Disclosure], _ limits: Limits) {
    unused = known
    self.limits = limits
    seen.reserveCapacity(known.count)
  }

  private mutating func value(
    _ json: JSONValue, in source: [UInt8], depth: Int
  ) throws(TokenError) -> Value {
    // A disclosure may hold another one and that a third, each no deeper than allowed.
    guard depth <= limits.jsonDepth else {
      throw TokenError(.jsonTooDeep, expected: "at most \(limits.jsonDepth)")
    }
    switch json.kind {
    case .object(let members):
      let object = try object(members, in: source, depth: depth)
      return Value(
        text: object.text,
        hasDisclosed: object.members.contains { $0.origins.contains { $0 != .visible } })
    case .array(let elements):
      let elements = try array(elements, in: source, depth: depth)
      return Value(
        text: Self.joined(elements.map(\.value.text), "[", "]"),
        hasDisclosed: elements.contains { $0.origin != .visible })
    default:
      return Value(text: Array(source[json.range]))
    }
  }

  /// The text of an object, and where its members come from.
  mutating func object(
    _ members: [(name: String, value: JSONValue)], in source: [UInt8], depth: Int
  ) throws(TokenError) -> (text: [UInt8], members: [Member]) {
    var made: [Member] = []
    var text = [UInt8(ascii: "{")]
    var names: Set<OctetKey> = []
    var digests: [[UInt8]] = []
    for (name, json) in members {
      guard !name.hasSameBytes(as: Disclosure.element) else {
        throw TokenError(
          .disclosureDigests, expected: "... as the only member of an element of an array")
      }
      if name.hasSameBytes(as: Disclosure.digests) {
        digests = try self.digests(json)
        continue
      }
      let key = OctetKey(Array(name.utf8))
      names.insert(key)
      made.append(try member(key, name, json, in: source, .visible, depth, &text))
    }
    for digest in digests {
      guard let disclosure = try take(digest) else { continue }
      guard let name = disclosure.name else {
        throw TokenError(
          .disclosureKind, expected: "[salt, name, value] for a member of an object",
          found: "[salt, value]")
      }
      let key = OctetKey(Array(name.utf8))
      guard names.insert(key).inserted else {
        throw TokenError(
          .disclosureName, expected: "a name that is not there yet", found: TokenError.excerpt(name)
        )
      }
      made.append(
        try member(
          key, name, disclosure.value, in: disclosure.source, .disclosed, depth, &text))
    }
    guard names.count <= limits.jsonMembers else {
      throw TokenError(.tooManyJSONMembers, expected: "at most \(limits.jsonMembers)")
    }
    text.append(UInt8(ascii: "}"))
    return (text, made)
  }

  /// A member, whose text is appended to that of its object.
  private mutating func member(
    _ key: OctetKey, _ name: String, _ json: JSONValue, in source: [UInt8], _ origin: ClaimOrigin,
    _ depth: Int, _ object: inout [UInt8]
  ) throws(TokenError) -> Member {
    if object.count > 1 { object.append(UInt8(ascii: ",")) }
    var quoted = JSONWriter(capacity: 64)
    quoted.name(text: name)
    object += quoted.bytes
    guard depth < limits.jsonDepth else {
      throw TokenError(.jsonTooDeep, expected: "at most \(limits.jsonDepth)")
    }
    var origins = Self.visible
    switch json.kind {
    case .array(let elements):
      let elements = try array(elements, in: source, depth: depth + 1)
      object += Self.joined(elements.map(\.value.text), "[", "]")
      origins = elements.filter { $0.value.text != Self.null }.map(\.origin)
    case .object:
      let value = try value(json, in: source, depth: depth + 1)
      object += value.text
      if value.hasDisclosed { origins = [.partlyDisclosed] }
    default: object += source[json.range]
    }
    // An array of nothing has an origin all the same.
    if origins.isEmpty { origins = Self.visible }
    if origin == .disclosed {
      origins = origins.count > 1 ? origins.map { _ in .disclosed } : Self.disclosed
    }
    return Member(name: key, origins: origins)
  }

  private mutating func array(
    _ elements: [JSONValue], in source: [UInt8], depth: Int
  ) throws(TokenError) -> [(value: Value, origin: ClaimOrigin)] {
    guard depth <= limits.jsonDepth else {
      throw TokenError(.jsonTooDeep, expected: "at most \(limits.jsonDepth)")
    }
    var made: [(value: Value, origin: ClaimOrigin)] = []
    for element in elements {
      guard let reference = element[Disclosure.element] else {
        let value = try value(element, in: source, depth: depth + 1)
        made.append((value, value.hasDisclosed ? .partlyDisclosed : .visible))
        continue
      }
      guard element.members?.count == 1, let text = reference.string else {
        throw TokenError(
          .disclosureDigests, expected: "... as the only member, with a digest",
          found: reference.kindName)
      }
      guard let disclosure = try take(digest(text)) else { continue }
      guard disclosure.name == nil else {
        throw TokenError(
          .disclosureKind, expected: "[salt, value] for an element of an array",
          found: "[salt, name, value]")
      }
      made.append(
        (try value(disclosure.value, in: disclosure.source, depth: depth + 1), .disclosed))
    }
    return made
  }

  private func digests(_ json: JSONValue) throws(TokenError) -> [[UInt8]] {
    guard let list = json.array else {
      throw TokenError(
        .disclosureDigests, node: Disclosure.digests, expected: "an array of digests",
        found: json.kindName)
    }
    var digests: [[UInt8]] = []
    for item in list {
      guard let text = item.string else {
        throw TokenError(
          .disclosureDigests, node: Disclosure.digests, expected: "digests as strings",
          found: item.kindName)
      }
      digests.append(digest(text))
    }
    return digests
  }

  /// The octets of a digest; of a text that is none the text itself, which a decoy may be.
  private func digest(_ text: String) -> [UInt8] {
    (try? Base64.decode(text.utf8.span, .url)) ?? [0] + text.utf8
  }

  /// The disclosure of a digest, which occurs once.
  ///
  /// - Throws: `disclosure.repeated`.
  private mutating func take(_ digest: [UInt8]) throws(TokenError) -> Disclosure? {
    let key = OctetKey(digest)
    guard seen.insert(key).inserted else {
      throw TokenError(.repeatedDisclosure, expected: "each digest once")
    }
    return unused.removeValue(forKey: key)
  }

  private static let null = Array("null".utf8)
  // Most members are one value: these are shared and not made for each.
  private static let visible = [ClaimOrigin.visible]
  private static let disclosed = [ClaimOrigin.disclosed]

  private static func joined(
    _ texts: [[UInt8]], _ start: Unicode.Scalar, _ end: Unicode.Scalar
  ) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(texts.reduce(2) { $0 + $1.count + 1 })
    octets.append(UInt8(ascii: start))
    for (place, text) in texts.enumerated() {
      if place > 0 { octets.append(UInt8(ascii: ",")) }
      octets.append(contentsOf: text)
    }
    octets.append(UInt8(ascii: end))
    return octets
  }
}
